// One event, made into the JSON text that goes on the wire. Serialised once, at the call: the caller may change its object afterwards.

import type { components } from '../generated/openapi.ts'
import type { Clock } from './clock.ts'
import { PlayerDataError } from './error.ts'
import { encodeUtf8 } from './utf8.ts'

/**
 * - `ordinary`: the oldest go first when the buffer is full
 * - `critical`: goes when nothing ordinary is left
 */
export type Priority = 'ordinary' | 'critical'

/** What an `Ad_Impression` tells, after the contract. `userId` and `sessionId` are filled in where they are missing. */
export type AdImpressionPayload = components['schemas']['AdImpressionPayload']
/** What the contract names of an event's metadata. */
export type EventMetadata = components['schemas']['EventMetadata']

/** What `track` takes beside the payload. */
export interface TrackOptions {
  /**
   * Which events go first when the buffer is full.
   * @default ordinary
   */
  priority?: Priority
  /**
   * The metadata of this event alone.
   * @default that of the player
   */
  metadata?: Record<string, unknown>
  /**
   * When it happened: epoch milliseconds by the corrected clock.
   * @default now
   */
  timestamp?: number
}

/** An event that is ready to be stored and sent. */
export interface TrackedEvent {
  text: string
  bytes: number
  /** When it was tracked, which the caller's own timestamp need not be: an event is as old as it has been waiting. */
  at: number
  priority: Priority
  /** The time is the caller's, not the clock's: it is not corrected later. */
  fixed: boolean
}

export interface EventWriter {
  /** `userId` is the player, where there is one. Throws a `config` error for what cannot be sent. */
  write(type: string, payload: object | undefined, options: TrackOptions, userId: string | undefined): TrackedEvent
}

export interface EventWriterDeps {
  clock: Clock
  metadata: Record<string, unknown>
  createId(): string
  /** The game's own, for as long as it lives. By default one for each start. */
  sessionId?: string | undefined
}

export const MAX_EVENT_BYTES = 32_768
const AD_IMPRESSION = 'Ad_Impression'

export function createEventWriter({ clock, metadata, createId, sessionId }: EventWriterDeps): EventWriter {
  const ownMetadata = toJson(metadata, 'metadata')
  let session = sessionId || createId()
  let last = 0
  let reading = 0

  /** Strictly increasing within a session id, so that an event can be told from another one downstream. */
  function tick(): number {
    const now = Math.floor(clock.now())
    const isSetBack = now < reading - 1000 // by the clock's own readings: in a burst the times run ahead of it
    reading = now
    if (isSetBack && !sessionId) {
      // The clock was corrected backwards: a new session of events, rather than times that are made up.
      session = createId()
      last = 0
    }
    last = Math.max(now, last + 1)
    return last
  }

  return {
    write(type, payload = {}, { priority = 'ordinary', metadata: given, timestamp }, userId) {
      if (typeof type !== 'string' || type === '') throw wrong('its type must be a string that is not empty')
      if (priority !== 'ordinary' && priority !== 'critical') throw wrong("priority must be 'ordinary' or 'critical'")
      const fixed = timestamp !== undefined
      if (fixed && !(Math.abs(timestamp) <= 8.64e15)) throw wrong('timestamp must be epoch milliseconds')
      const body = toJson(payload, 'payload')
      const meta = given ? toJson(given, 'metadata') : ownMetadata
      const at = fixed ? clock.now() : tick()
      const ids = type === AD_IMPRESSION ? idsFor(payload as AdImpressionPayload, session, userId) : {}
      const text = `{"eventType":${wellFormed(JSON.stringify(type))},"timestamp":"${new Date(fixed ? timestamp : at).toISOString()}","payload":${withMembers(body, ids)},"metadata":${meta}}`
      const bytes = byteLength(text)
      if (bytes > MAX_EVENT_BYTES) throw wrong(`it has ${bytes} bytes as JSON, and ${MAX_EVENT_BYTES} is the limit`)
      return { text, bytes, at, priority, fixed }
    },
  }
}

/** The event of a player who was not known when it was tracked, with the player and the time put right. */
export function claimEvent(text: string, userId: string, shiftMs: number): string {
  const event = JSON.parse(text)
  event.timestamp = new Date(Date.parse(event.timestamp) + shiftMs).toISOString()
  if (event.eventType === AD_IMPRESSION && event.payload.userId === undefined) event.payload.userId = userId
  return wellFormed(JSON.stringify(event))
}

export function byteLength(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is asked for.
  return /^[\x00-\x7f]*$/.test(text) ? text.length : encodeUtf8(text).length
}

function idsFor({ userId, sessionId }: AdImpressionPayload, session: string, player: string | undefined): Record<string, string> {
  const ids: Record<string, string> = {}
  if (userId === undefined && player !== undefined) ids.userId = player
  if (sessionId === undefined) ids.sessionId = session
  return ids
}

function withMembers(json: string, members: Record<string, string>): string {
  const added = JSON.stringify(members)
  if (added === '{}') return json
  return json === '{}' ? added : `${added.slice(0, -1)},${json.slice(1)}`
}

function toJson(value: object, name: string): string {
  const kind = Object.prototype.toString.call(value)
  if (kind !== '[object Object]') throw wrong(`${name} must be a plain object`)
  let json: string
  try {
    json = JSON.stringify(value)
  } catch (cause) {
    throw wrong(`${name} cannot be JSON: ${(cause as Error).message}`, cause)
  }
  if (String(json)[0] !== '{') throw wrong(`${name} must be a plain object`)
  return wellFormed(json)
}

/** Half a surrogate pair is no text, and strict servers refuse the whole batch for it. */
function wellFormed(json: string): string {
  if (!/\\ud|[\ud800-\udfff]/.test(json)) return json
  return json.replace(/\\ud[89a-f]..|\\.|[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (part) =>
    part.length === 6 || (part.length === 1 && part >= '\ud800') ? '\ufffd' : part,
  )
}

function wrong(reason: string, cause?: unknown): PlayerDataError {
  return new PlayerDataError('config', `track: ${reason}.`, { cause })
}
