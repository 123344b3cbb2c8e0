import { describe, expect, it } from 'vitest'
import type { PlayerDataError } from '../src/error.ts'
import { createFallback } from '../src/fallback.ts'
import type { KeyValue } from '../src/port.ts'
import { brokenStorage, fakePlatform } from './fake.ts'

function fallbackOver(storage: KeyValue) {
  const platform = fakePlatform()
  const errors: PlayerDataError[] = []
  return { platform, errors, kept: createFallback(storage, platform.after, (error) => errors.push(error)) }
}

describe('createFallback', () => {
  it('is the host’s storage while that works', async () => {
    const { platform, errors } = fallbackOver(brokenStorage())
    const kept = createFallback(platform.storage, platform.after, (error) => errors.push(error))
    await kept.write({ set: [['a', 1]] })
    expect(await platform.storage.get(['a'])).toEqual([1])
    expect(await kept.get(['a', 'b'])).toEqual([1, undefined])
    expect(platform.timers()).toBe(0)
    expect(errors).toEqual([])
  })

  it.each([
    ['fails', brokenStorage()],
    [
      'throws at once',
      new Proxy({} as KeyValue, {
        get: () => () => {
          throw new Error('no IndexedDB')
        },
      }),
    ],
  ])('goes on in memory when the host’s %s, and says so once', async (_, storage) => {
    const { kept, errors } = fallbackOver(storage)
    await kept.write({ set: [['a', 1]] })
    await kept.write({ set: [['b', 2]] })
    expect(await kept.get(['a', 'b'])).toEqual([1, 2])
    expect(await kept.keys('')).toEqual(['a', 'b'])
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ code: 'storage' })
  })

  it('does not wait for ever', async () => {
    const never = () => new Promise<never>(() => {})
    const { kept, platform, errors } = fallbackOver({ get: never, write: never, keys: never })
    const reading = kept.get(['a'])
    await Promise.resolve()
    platform.advance(3000)
    expect(await reading).toEqual([undefined])
    expect(errors).toHaveLength(1)
  })
})
