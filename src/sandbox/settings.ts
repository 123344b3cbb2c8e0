// What can be changed while the sandbox runs.

import { createShape } from './shape.ts'

/** What can be changed while the sandbox runs. */
export interface Settings {
  /**
   * The form of a success: the object itself, or `{ data, status: "success" }`.
   * @default bare
   */
  reply: 'bare' | 'wrapped'
  /**
   * The form of an error: `{ error: "text" }`, or `{ error: { code, message }, status: "error" }`.
   * @default text
   */
  errors: 'text' | 'object'
  /**
   * The lifetime of an access token as the replies state it, in seconds.
   * @default 3600
   */
  expiresIn: number
  /**
   * How long an access token really lives, in seconds, where that is to differ from what the replies state.
   * @default null: as stated
   */
  tokenLifetime: number | null
  /**
   * Whether a refresh hands out a new refresh token and uses up the old one.
   * @default true
   */
  rotateRefresh: boolean
  /**
   * The status of an accepted batch of events, which the service does not specify.
   * @default 202
   */
  eventsStatus: 200 | 201 | 202 | 204
  /**
   * How far the sandbox's clock is ahead of this machine's, in milliseconds.
   * @default 0
   */
  clockOffsetMs: number
  /**
   * Whether pages of other origins may read the `Date` header.
   * @default true
   */
  dateExposed: boolean
  /**
   * Larger request bodies get 413.
   * @default 1 048 576
   */
  maxBodyBytes: number
}

const DEFAULTS: Settings = {
  reply: 'bare',
  errors: 'text',
  expiresIn: 3600,
  tokenLifetime: null,
  rotateRefresh: true,
  eventsStatus: 202,
  clockOffsetMs: 0,
  dateExposed: true,
  maxBodyBytes: 1024 * 1024,
}

const seconds = { type: 'number', exclusiveMinimum: 0, maximum: 1e9 }

const properties: Record<keyof Settings, object> = {
  reply: { enum: ['bare', 'wrapped'] },
  errors: { enum: ['text', 'object'] },
  expiresIn: seconds,
  tokenLifetime: { anyOf: [{ type: 'null' }, seconds] },
  rotateRefresh: { type: 'boolean' },
  eventsStatus: { enum: [200, 201, 202, 204] },
  // Some thirty years: every date in reach can still be written.
  clockOffsetMs: { type: 'number', minimum: -1e12, maximum: 1e12 },
  dateExposed: { type: 'boolean' },
  maxBodyBytes: { type: 'integer', minimum: 1, maximum: 32 * 1024 * 1024 },
}

const settingsShape = createShape<Partial<Settings>>({ type: 'object', additionalProperties: false, properties }, 'the settings')

export interface SettingsStore {
  /** The present settings; always the same object. */
  readonly current: Readonly<Settings>
  /** Changes those that are given. Throws on an unknown name or a value out of range, and then changes none. */
  change(change: unknown): void
  /** Back to those of the start. */
  reset(): void
}

export function createSettings(initial: Partial<Settings>): SettingsStore {
  // JavaScript callers pass options on without looking whether they have them.
  const given = Object.fromEntries(Object.entries(initial).filter(([, value]) => value !== undefined))
  const start = { ...DEFAULTS, ...settingsShape(given) }
  const current = { ...start }
  return {
    current,
    change: (change) => void Object.assign(current, settingsShape(change)),
    reset: () => void Object.assign(current, start),
  }
}
