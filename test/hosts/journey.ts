// The whole journey of a game, walked in one host. What is asserted is what the service has received, not what the bundle says of itself.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import type { GameOptions, Host, HostKind } from './host.ts'

const HOUR = 3600_000
export const SECRET = 'canary-secret-0b9f'
/** Text that hosts get wrong: beyond ASCII, beyond one code unit, a control character that C takes for the end. */
const TRICKY = 'né 漢字 🎮 \u0000 "\\ \u2028 end'

/** Registers one test a step, in order. Each builds on the last, as a player's day does. */
export function walkJourney({ name, is, open }: HostKind): void {
  describe(`host ${name}`, { timeout: 60_000, meta: { host: name, is } }, () => {
    let sandbox: Sandbox
    let host: Host
    let options: GameOptions

    beforeAll(async () => {
      sandbox = await createSandbox({ secret: SECRET, strict: true })
      options = { baseUrl: sandbox.url, apiKey: 'dev-key', secret: SECRET }
      host = await open()
      await host.call('create', options)
    }, 180_000)
    afterAll(async () => {
      await host?.close()
      await sandbox?.close()
    })

    const succeeded = (operation: string) => sandbox.stats().operations[operation]?.succeeded ?? 0
    const payloads = (type: string) =>
      sandbox
        .events()
        .filter(({ event }) => event.eventType === type)
        .map(({ event }) => event.payload)
    /** Whose token the requests carried. */
    const userId = () => sandbox.requests().find(({ player }) => player)?.player

    it('login', async () => {
      const session = await host.call('login')
      expect(succeeded('authLogin')).toBe(1)
      expect(session).toMatchObject({ userId: expect.stringMatching(/^player-/), offline: false })
    })

    it('status', async () => {
      const status = await host.call('fetchStatus')
      expect(succeeded('getPlayerStatus')).toBe(1)
      expect(status).toEqual(await host.call('read', 'status'))
      expect(await host.call('read', 'session')).toMatchObject({ userId: userId() })
      expect(status).toHaveProperty('isPayer.value')
    })

    it('store', async () => {
      const store = await host.call('fetchStore')
      expect(succeeded('getPlayerStoreConfig')).toBe(1)
      expect(store).toEqual(await host.call('read', 'store'))
      expect(store).toHaveProperty('activeSkus')
    })

    it('track offline', async () => {
      sandbox.addFault({ kind: 'drop', when: 'before' })
      for (let level = 1; level <= 3; level += 1) await host.call('track', 'Level_Up', { level, note: TRICKY })
      await host.call('track', 'Ad_Impression', { adId: 'a1' })
      await host.call('persisted')
      expect(await host.call('stats')).toMatchObject({ buffered: 4, dropped: {} })
      expect(sandbox.events()).toEqual([])
    })

    it('restart', async () => {
      await host.restart()
      await host.call('create', options)
      expect(await host.call('login')).toMatchObject({ userId: userId() })
      expect(await host.call('read', 'status')).toHaveProperty('isPayer.value')
      expect(succeeded('authLogin')).toBe(1)
    })

    it('deliver', async () => {
      sandbox.clearFaults()
      await until(async () => {
        await host.call('flush')
        return sandbox.events().length >= 4
      })
      expect(payloads('Level_Up')).toEqual([1, 2, 3].map((level) => ({ level, note: TRICKY })))
      expect(payloads('Ad_Impression')).toEqual([{ adId: 'a1', userId: userId(), sessionId: expect.any(String) }])
      for (const { event } of sandbox.events()) {
        expect(Math.abs(Date.parse(event.timestamp) - Date.now())).toBeLessThan(120_000)
        expect(event.metadata).toEqual(expect.any(Object))
      }
    })

    it('refresh', async () => {
      sandbox.expireAccessTokens()
      await host.call('fetchStatus')
      expect(succeeded('getPlayerStatus')).toBe(2)
      expect([succeeded('authRefresh'), succeeded('authLogin')]).toEqual([1, 1])
    })

    it('clock off by 2 h', async () => {
      for (const clockOffsetMs of [2 * HOUR, -2 * HOUR]) {
        const before = succeeded('authLogin')
        sandbox.configure({ clockOffsetMs })
        sandbox.expireAccessTokens()
        sandbox.revokeRefreshTokens()
        await host.call('fetchStatus')
        expect(succeeded('authLogin')).toBe(before + 1)
        await host.call('track', 'Clock', { clockOffsetMs })
        await host.call('flush')
        const [event] = sandbox.events().slice(-1)
        expect(event?.event.payload).toEqual({ clockOffsetMs })
        expect(Math.abs(Date.parse(event?.event.timestamp ?? '') - (Date.now() + clockOffsetMs))).toBeLessThan(120_000)
      }
      sandbox.configure({ clockOffsetMs: 0 })
    })

    it('logout', async () => {
      await host.call('logout')
      expect(await host.call('read', 'session')).toBeNull()
      const before = succeeded('authLogin')
      await host.restart()
      await host.call('create', options)
      expect(await host.call('read', 'session')).toBeNull()
      await host.call('login')
      expect(succeeded('authLogin')).toBe(before + 1)
      await host.call('logout')
    })

    it('no leak', async () => {
      await host.call('close')
      const { requests } = sandbox.stats()
      const traces = await host.traces()
      expect(traces).not.toContain(SECRET)
      expect(traces).not.toMatch(/eyJ[\w-]+[.]/)
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect(sandbox.stats().requests).toBe(requests)
      expect(sandbox.breaches()).toEqual([])
      expect(sandbox.events().filter(({ copy }) => copy > 1)).toEqual([])
    })
  })
}

/** Tries again for a while: a service that was away is asked again after a pause of its own. */
async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 20_000; !(await isDone()); ) {
    if (Date.now() > end) throw new Error('It did not happen within 20 s.')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
