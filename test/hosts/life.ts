// What becomes of a game that is hidden, shown and ended by its system, on hosts in which nothing runs behind the scenes. As in the
// journey, what counts is what the service has received.

import { describe, expect, it, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import type { Host } from './host.ts'
import { callsBy } from './scripts.ts'

const SECRET = 'life-secret'

/** A game under way, with the bundle and the agent loaded. */
export interface Stage {
  run(script: string): unknown
  hide(): void
  show(): void
  kill(): void
  readonly printed: string[]
  readonly misuses: string[]
}

/** A stand-in as the journey needs it: `start` makes a game on the storage, and a restart is another one on the same. */
export async function openStage(storage: Map<string, string>, start: (storage: Map<string, string>) => Stage): Promise<Host> {
  const printed: string[] = []
  let game = start(storage)
  const end = () => {
    game.kill()
    printed.push(...game.printed)
    expect(game.misuses).toEqual([])
  }
  return {
    call: callsBy((script) => game.run(script) as Promise<string>),
    async restart() {
      end()
      game = start(storage)
    },
    traces: async () => [...printed, ...game.printed, ...[...storage].flat()].join('\n'),
    close: async () => end(),
  }
}

export interface Play<Game extends Stage> {
  sandbox: Sandbox
  game: Game
  call: Host['call']
  /** Ends the game at once, and starts it again on the same storage. */
  restart(): Promise<void>
  /** The payloads that have arrived. */
  payloads(): unknown[]
  /** Events fail, often enough for the next try of its own to be minutes away. */
  losePatience(): Promise<void>
}

/** A game that has logged in at a sandbox of its own; ended, and checked for misuses, when `run` is through. */
export async function play<Game extends Stage>(start: () => Game, run: (play: Play<Game>) => Promise<void>): Promise<void> {
  const sandbox = await createSandbox({ secret: SECRET, strict: true })
  let game = start()
  const misuses: string[] = []
  const call = callsBy((script) => game.run(script) as Promise<string>)
  const logIn = async () => {
    await call('create', { baseUrl: sandbox.url, apiKey: 'dev-key', secret: SECRET })
    await call('login')
  }
  const stage: Play<Game> = {
    sandbox,
    get game() {
      return game
    },
    call,
    async restart() {
      game.kill()
      misuses.push(...game.misuses)
      game = start()
      await logIn()
    },
    payloads: () => sandbox.events().map(({ event }) => event.payload),
    async losePatience() {
      const end = sandbox.addFault({ kind: 'drop', when: 'before', path: '/v1/events' })
      for (let tries = 0; tries < 10; tries += 1) await call('flush')
      end()
      expect(sandbox.events()).toEqual([])
    },
  }
  try {
    await logIn()
    await run(stage)
    expect([...misuses, ...game.misuses]).toEqual([])
    expect(sandbox.breaches()).toEqual([])
    expect(sandbox.events().filter(({ copy }) => copy > 1)).toEqual([])
  } finally {
    game.kill()
    await sandbox.close()
  }
}

export const soon = { timeout: 5000, interval: 20 }

/** Registers what every such host has to stand. `start` makes a game on the storage, `device` is what the host itself says of it. */
export function walkLife<Storage>(name: string, createStorage: () => Storage, start: (storage: Storage) => Stage, device: object): void {
  describe(`life of ${name}`, () => {
    const test = (title: string, run: (play: Play<Stage>) => Promise<void>) =>
      it.concurrent(title, () => {
        const storage = createStorage()
        return play(() => start(storage), run)
      })

    test('what was tracked in the frame of the hide outlives an end in the same moment', async ({
      call,
      sandbox,
      game,
      payloads,
      restart,
    }) => {
      call('track', 'Last', { at: 1 })
      call('track', 'Last', { at: 2 })
      game.hide()
      await restart()
      await call('flush')
      await vi.waitFor(() => expect(payloads()).toEqual([{ at: 1 }, { at: 2 }]), soon)
      expect(sandbox.events().map(({ event }) => event.metadata)).toEqual([device, device])
    })

    test('nothing is sent while hidden, and what waits goes out when shown', async ({ call, sandbox, game, payloads, losePatience }) => {
      await call('track', 'Waiting', { at: 1 })
      await losePatience()
      game.hide()
      const { requests } = sandbox.stats()
      await new Promise((resolve) => setTimeout(resolve, 400))
      expect(sandbox.stats().requests).toBe(requests)
      game.show()
      await vi.waitFor(() => expect(payloads()).toEqual([{ at: 1 }]), soon)
    })

    test('a reply that came while hidden is taken when shown, however long that was', async ({ game, sandbox }) => {
      const settled = game.run(`(() => {
          const other = PlayerData.createPlayerData({ baseUrl: '${sandbox.url}', apiKey: 'dev-key', deviceId: 'other', timeoutMs: 300,
            signer: PlayerData.developmentSigner({ secret: '${SECRET}' }), platform: typeof platform === 'object' ? platform : undefined })
          return other.login().then(() => {
            globalThis.asked = other.fetchStatus().then(() => 'a reply', (error) => error.code).then((end) => other.close().then(() => end))
          })
        })()`) as Promise<void>
      await settled
      game.hide()
      await new Promise((resolve) => setTimeout(resolve, 600))
      game.show()
      expect(await game.run('asked')).toBe('a reply')
      expect(sandbox.stats().operations.getPlayerStatus?.succeeded).toBe(1)
    })

    test('a hide before the login, an end, and the events are the next player’s', async ({ call, game, payloads, restart }) => {
      await call('logout')
      call('track', 'Early', { at: 1 })
      game.hide()
      await restart()
      await call('flush')
      await vi.waitFor(() => expect(payloads()).toEqual([{ at: 1 }]), soon)
    })

    test('no call waits longer than it was told to, and it says so', async ({ game, sandbox }) => {
      sandbox.addFault({ kind: 'hang', when: 'before' })
      for (const timeoutMs of [200, 250, 300]) {
        const startedAt = Date.now()
        const login = game.run(`PlayerData.createPlayerData({ baseUrl: '${sandbox.url}', apiKey: 'dev-key', deviceId: 'other',
          timeoutMs: ${timeoutMs}, signer: PlayerData.developmentSigner({ secret: 'any' }) }).login()`) as Promise<unknown>
        await expect(login).rejects.toMatchObject({ code: 'timeout' })
        expect(Date.now() - startedAt).toBeGreaterThanOrEqual(timeoutMs - 20)
      }
      sandbox.clearFaults()
    })

    test('a close ends the listening', async ({ call, game, sandbox }) => {
      await call('close')
      const { requests } = sandbox.stats()
      game.hide()
      game.show()
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(sandbox.stats().requests).toBe(requests)
      expect(game.printed).toEqual([])
    })
  })
}
