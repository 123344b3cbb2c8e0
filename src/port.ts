// What the runtime needs from the place it runs in. src/platform/ makes a Platform for each host; a game can override any part of it.
// Everything here is plain data and functions, so that a bare VM can supply it by hand: http, storage, now, after and random are enough.

/** The host, as the runtime sees it. */
export interface Platform {
  /** Sends one request. Rejects only when no reply arrived; an HTTP error is a reply. Gives up when cancelled. */
  http(request: HttpRequest, onCancel?: OnCancel): Promise<HttpResponse>
  /** Where all is kept that outlives the instance. */
  storage: KeyValue
  /** Lives as long as the tab, for `tokens: 'session'`. */
  sessionStorage?: KeyValue
  /** Epoch milliseconds by the device's own clock. */
  now(): number
  /** Runs once, `ms` milliseconds later. Returns the cancel. */
  after(ms: number, run: () => void): () => void
  /** So many random bytes, for ids and for the spread of waiting times. */
  random(bytes: number): Uint8Array
  /** True where the host has no source of its own, and the bytes are not for secrets. */
  randomIsWeak?: boolean
  /** The host's HMAC-SHA256, in place of our own, which takes a millisecond for a login. */
  hmacSha256?(key: Uint8Array, message: Uint8Array): Promise<Uint8Array>
  /**
   * Runs while no other instance on the same storage holds the name; rejects without having run when it is not had within `waitMs`.
   * Let go when `run` settles, or the holder dies. The wait ends when cancelled.
   */
  lock?<T>(name: string, waitMs: number, run: () => Promise<T>, onCancel?: OnCancel): Promise<T>
  /** Reaches the other instances on the same storage, not the sender. */
  broadcast?: { post(message: string): void; listen(run: (message: string) => void): () => void }
  /** A small store that is written at once, for what must not wait for the other one when the page goes. */
  journal?: { read(): string | null; write(text: string): void }
  /** Runs when the game is hidden or, with `leaving` true, goes away for good as far as anyone can tell. Returns the end of it. */
  onHide?(run: (leaving: boolean) => void): () => void
  /** Runs when the game is shown again, or the network is back. Returns the end of it. */
  onResume?(run: () => void): () => void
  /** What goes into the metadata of events, where the game gives none. */
  device?(): { deviceType: string; osName: string; osVersion: string }
  /** The host name of the page, where there is a page. A development secret is refused on a public one. */
  pageHost?: string
}

/** A host as it is found: one without timers is driven by the game's `tick()`. */
export type Host = Omit<Platform, 'after'> & Partial<Pick<Platform, 'after'>>

/** Has a function called when the thing is no longer wanted. Returns the function that ends the listening. */
export type OnCancel = (run: () => void) => () => void

/** One request, as plain data. */
export interface HttpRequest {
  /** In capitals. */
  method: string
  /** The whole address. */
  url: string
  /** All that are to be sent. */
  headers: Record<string, string>
  /** JSON text; absent where there is none. */
  body?: string
  /** No reply by then is none: reject. */
  timeoutMs: number
  /** To be finished even when the page goes. Bodies of more than 60 KiB are refused by hosts. */
  keepalive?: boolean
}

/** One reply, as plain data. */
export interface HttpResponse {
  /** The HTTP status, whatever it is. */
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** The body as text; empty where there is none. */
  body: string
}

/** A store of JSON values under string keys. */
export interface KeyValue {
  /** The values in the order of the keys, undefined where absent. */
  get(keys: string[]): Promise<unknown[]>
  /** All of the change or nothing, where the host can; else what is set comes first, so that a crash leaves too much and not too little. */
  write(change: { set?: [key: string, value: unknown][]; delete?: string[] }): Promise<void>
  /** All keys that start with the prefix, in order. */
  keys(prefix: string): Promise<string[]>
  /**
   * What a write that has resolved is worth: it survives a crash (`disk`), most likely (`weak`), or does not (`memory`).
   * @default disk
   */
  durability?: 'disk' | 'weak' | 'memory'
}
