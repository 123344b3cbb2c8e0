// The device's identity: given by the game, or made once and kept. It belongs to one service and one studio, so that studios that
// share a page cannot follow a player from one game to another.

import type { Platform } from './port.ts'

export interface Device {
  /** Resolves to the same id for the life of the instance, and of the storage. */
  id(): Promise<string>
}

export function createDevice({ storage, random }: Platform, namespace: string, given?: string): Device {
  let pending: Promise<string> | undefined
  const key = `player-data/${namespace}/device`

  async function restore(): Promise<string> {
    try {
      const [kept] = await storage.get([key])
      if (typeof kept === 'string' && kept !== '') return kept
      const made = createId(random(16))
      await storage.write({ set: [[key, made]] })
      return made
    } catch {
      // Without a working storage the device is a new one at each start, as in a private window. The game goes on.
      return createId(random(16))
    }
  }

  return {
    id() {
      pending = pending || (given === undefined ? restore() : Promise.resolve(given))
      return pending
    },
  }
}

/** A random UUID, version 4. */
export function createId(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte, at) =>
    (at === 6 ? (byte & 15) | 64 : at === 8 ? (byte & 63) | 128 : byte).toString(16).padStart(2, '0'),
  )
  return [hex.slice(0, 4), hex.slice(4, 6), hex.slice(6, 8), hex.slice(8, 10), hex.slice(10)].map((part) => part.join('')).join('-')
}
