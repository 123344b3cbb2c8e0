import { describe, expect, it, vi } from 'vitest'
import { createMinigame, type MinigameOptions } from './fixtures/minigame.ts'
import { walkJourney } from './journey.ts'
import { openStage, play, soon, walkLife } from './life.ts'
import { agent, bundle } from './scripts.ts'

type Storage = MinigameOptions['storage']
type Kind = Omit<MinigameOptions, 'storage'>
const createStorage = (): Storage => new Map()

function start(storage: Storage, kind: Kind) {
  const game = createMinigame({ ...kind, storage })
  game.load(bundle)
  game.run(agent)
  return game
}

const IPHONE = { deviceType: 'phone', osName: 'iOS', osVersion: '15.4' }
const XIAOMI = { deviceType: 'phone', osName: 'Android', osVersion: '12' }
const HOSTS: [name: string, kind: Kind, device: object][] = [
  ['WeChat minigame', { host: 'wx' }, IPHONE],
  ['ByteDance minigame', { host: 'tt' }, XIAOMI],
  ['WeChat minigame, Cocos, iOS 15', { host: 'wx', adapter: true, timerPromise: true, modern: false }, IPHONE],
]

for (const [name, kind, device] of HOSTS) {
  walkJourney({
    name,
    is: 'a stand-in written from the platform’s typings and the engine’s sources, the bundle as a CommonJS file',
    open: () => openStage(createStorage(), (storage) => start(storage, kind)),
  })
  walkLife(name, createStorage, (storage) => start(storage, kind), device)

  describe(name, () => {
    it.concurrent('sends what waits when the network is back', () =>
      play(
        () => start(new Map(), kind),
        async ({ call, game, payloads, losePatience }) => {
          await call('track', 'Waiting', { at: 1 })
          game.setNetwork(false)
          await losePatience()
          game.setNetwork(true)
          await vi.waitFor(() => expect(payloads()).toEqual([{ at: 1 }]), soon)
        },
      ))

    it.concurrent('a full storage costs neither an event nor the game’s own data', () =>
      play(
        () => start(new Map(), kind),
        async ({ call, game, payloads }) => {
          const fill = `for (let size = 1e6, at = 0; size > 1; at += 1) try { ${kind.host}.setStorageSync('game' + at, 'x'.repeat(size)) } catch (error) { size = size >> 1 }`
          game.run(fill)
          await call('track', 'Full', { at: 1, text: 'y'.repeat(1000) })
          await call('persisted')
          expect(await call('stats')).toMatchObject({ buffered: 1, dropped: {} })
          await call('flush')
          expect(payloads()).toMatchObject([{ at: 1 }])
          expect(game.run(`${kind.host}.getStorageSync('game0').length`)).toBe(1e6)
        },
      ))
  })
}

describe('ByteDance minigame, Cocos', () => {
  it('tells the host’s device, not the one that the adapter’s user agent names', () =>
    play(
      () => start(new Map(), { host: 'tt', adapter: true }),
      async ({ call, sandbox }) => {
        await call('track', 'Plain')
        await call('flush')
        expect(sandbox.events().map(({ event }) => event.metadata)).toEqual([XIAOMI])
      },
    ))
})
