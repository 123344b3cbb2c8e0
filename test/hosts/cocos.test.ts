import { describe, expect, it, vi } from 'vitest'
import { type CocosOptions, createCocosNative } from './fixtures/cocos.ts'
import { walkJourney } from './journey.ts'
import { openStage, play, soon, walkLife } from './life.ts'
import { agent, bundle } from './scripts.ts'

type Storage = CocosOptions['storage']
const createStorage = (): Storage => new Map()

function start(
  storage: Storage,
  { system = 'Android' as const, isBound = true }: { system?: CocosOptions['system']; isBound?: boolean } = {},
) {
  const game = createCocosNative({ storage, system })
  game.loadPlugin(bundle)
  if (isBound) game.loadProject('globalThis.platform = PlayerData.bindCocos(cc)')
  game.run(agent)
  return game
}

for (const [name, system] of [
  ['Cocos native', 'Android'],
  ['Cocos native on Windows', 'Windows'],
] as const) {
  walkJourney({
    name,
    is: 'a stand-in written from the engine’s sources, the bundle as a plugin script',
    open: () => openStage(createStorage(), (storage) => start(storage, { system })),
  })
}

walkLife('Cocos native', createStorage, (storage) => start(storage), { deviceType: 'phone', osName: 'Android', osVersion: '13' })
walkLife('Cocos native on Windows', createStorage, (storage) => start(storage, { system: 'Windows' }), {
  deviceType: 'desktop',
  osName: 'Windows',
  osVersion: '10.0.19045',
})

describe('Cocos native', () => {
  it('a game that does not bind the engine still tells no other device than its own', () =>
    play(
      () => start(new Map(), { isBound: false }),
      async ({ call, sandbox }) => {
        await call('track', 'Plain')
        await call('flush')
        expect(sandbox.events().map(({ event }) => event.metadata)).toEqual([{ deviceType: 'unknown', osName: 'Android', osVersion: '' }])
      },
    ))

  it('a full disk, which the host only prints about, is noticed and costs no event', () =>
    play(
      () => start(new Map()),
      async ({ call, game, payloads }) => {
        expect(await call('stats')).toMatchObject({ durability: 'disk' })
        game.setDiskFull(true)
        await call('track', 'Full', { at: 1 })
        await call('persisted')
        expect(await call('stats')).toMatchObject({ buffered: 1, durability: 'memory', dropped: {} })
        await vi.waitFor(() => expect(game.printed.filter((line) => line.startsWith('[storage]'))).toHaveLength(1), soon)
        await call('flush')
        expect(payloads()).toEqual([{ at: 1 }])
      },
    ))

  it('ids are made without a source of random bytes, and none comes twice', async () => {
    const ids: string[] = []
    for (let start = 0; start < 2; start += 1) ids.push(...(await makeIds(500)))
    expect(new Set(ids).size).toBe(1000)
  })

  it('two starts whose Math.random begins alike make other ids', async () => {
    const starts = [0, 1, 256, 65_536, 86_400_000]
    const ids = await Promise.all(starts.map((ms) => makeIds(1, `Math.random = () => 0.5; Date.now = () => 1.7e12 + ${ms}`)))
    expect(new Set(ids.flat()).size).toBe(starts.length)
  })
})

/** The ids of so many instances: each goes with the first event that it stores. */
async function makeIds(count: number, before = ''): Promise<string[]> {
  const storage = createStorage()
  const game = start(storage)
  game.run(before)
  await game.run(`Promise.all(Array.from({ length: ${count} }, (_, at) => {
    const player = PlayerData.createPlayerData({ baseUrl: 'http://127.0.0.1:9', apiKey: 'key-' + at, signer: () => {} })
    if (player.stats().random !== 'weak') throw new Error('The host has no source of random bytes.')
    player.track('Made')
    return player.persisted().then(() => player.close())
  }))`)
  game.kill()
  const keys = [...storage.keys()].filter((key) => key.includes('/o/'))
  return keys.map((key) => /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(key)?.[0] ?? key)
}
