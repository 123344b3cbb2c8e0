// The device's identity: given by the game, or made once and kept. It belongs to one service and one studio, so that studios that
// share a page cannot follow a player from one game to another.

import { createId } from './id.ts'
import type { Exclusively } from './lock.ts'
import type { KeyValue, Platform } from './port.ts'

export interface Device {
  /** Resolves to the same id for the life of the instance, and of the storage. */
  id(): Promise<string>
}

export interface DeviceDeps {
  storage: KeyValue
  random: Platform['random']
  exclusively: Exclusively
  namespace: string
}

export function createDevice({ storage, random, exclusively, namespace }: DeviceDeps, given?: string): Device {
  const key = `${namespace}/device`
  let pending: Promise<string> | undefined

  async function restore(): Promise<string | undefined> {
    const [kept] = await storage.get([key])
    return typeof kept === 'string' && kept !== '' ? kept : undefined
  }

  async function make(): Promise<string> {
    const kept = await restore() // another tab may have been faster
    if (kept !== undefined) return kept
    const made = createId(random)
    await storage.write({ set: [[key, made]] })
    return made
  }

  return {
    id() {
      pending = pending || (given === undefined ? restore().then((kept) => kept || exclusively('device', make)) : Promise.resolve(given))
      return pending
    },
  }
}
