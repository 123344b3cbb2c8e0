// The native side of a bare VM, as an app that embeds one would write it: requests, a storage, and no more. Messages are JSON text.

import { randomBytes } from 'node:crypto'
import { memoryStorage } from '../../src/memory.ts'
import type { HttpRequest, HttpResponse } from '../../src/port.ts'

export interface Native {
  /** Answers one message from the VM: `[name, argument]` in, the result out. */
  answer(message: string): Promise<string>
  /** What is stored, as text. */
  dump(): Promise<string>
}

/** The storage outlives the VM. */
export function createNative(): Native {
  const storage = memoryStorage()
  const parts: Record<string, (argument: never) => Promise<unknown>> = {
    http: sendRequest,
    get: async (keys: string[]) => (await storage.get(keys)).map((value) => (value === undefined ? null : value)),
    write: storage.write,
    keys: storage.keys,
  }
  return {
    async answer(message) {
      const [name, argument] = JSON.parse(message)
      return JSON.stringify((await parts[name]?.(argument as never)) ?? null)
    },
    dump: async () => JSON.stringify(await storage.get(await storage.keys(''))),
  }
}

/** Runs in the VM: the platform that a game passes to `createPlayerData`. `ask`, `clock` and `bytes` are the native side's. */
export const platformScript = `
  var platform = (function () {
    function native(name) {
      return function (argument) {
        return ask(JSON.stringify([name, argument])).then(JSON.parse)
      }
    }
    return {
      http: native('http'),
      now: clock,
      random: function (length) {
        return Uint8Array.from(JSON.parse(bytes(length)))
      },
      storage: {
        durability: 'disk',
        get: function (keys) {
          return native('get')(keys).then(function (values) {
            return values.map(function (value) {
              return value === null ? undefined : value
            })
          })
        },
        write: native('write'),
        keys: native('keys'),
      },
    }
  })()`

export const bytes = (length: number) => JSON.stringify([...randomBytes(length)])

export async function sendRequest({ method, url, headers, body, timeoutMs }: HttpRequest): Promise<HttpResponse> {
  const response = await fetch(url, { method, headers, body: body ?? null, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
}
