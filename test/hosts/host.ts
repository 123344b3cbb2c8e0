// What the conformance suite needs of a place that the bundle runs in. A runner makes one; the journey walks it.

declare module 'vitest' {
  interface TaskMeta {
    /** The name of the host, and what it is: the head of a row of the table. */
    host?: string
    is?: string
  }
}

/** The names that the journey calls on a player. `create` makes one, `read` is a property's value. */
export type Face =
  | 'create'
  | 'read'
  | 'login'
  | 'fetchStatus'
  | 'fetchStore'
  | 'track'
  | 'persisted'
  | 'flush'
  | 'stats'
  | 'logout'
  | 'close'

/** What `create` is given: plain data, for it goes over pipes. The host turns the secret into a development signer. */
export interface GameOptions {
  baseUrl: string
  apiKey: string
  secret: string
  deviceId?: string
}

export interface Host {
  /** Calls one name inside the host and brings the result back as plain data. Rejects with the code of the error as its message's start. */
  call(name: Face, ...args: unknown[]): Promise<unknown>
  /** The game dies without a word and starts again on the same storage. The next call is `create`. */
  restart(): Promise<void>
  /** All that the host has printed, and all that it has stored, as one text. */
  traces(): Promise<string>
  close(): Promise<void>
}

/** A column of the table. */
export interface HostKind {
  name: string
  /** What really runs, in a few words; a stand-in says so. */
  is: string
  open(): Promise<Host>
}
