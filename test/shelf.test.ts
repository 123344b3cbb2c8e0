import { describe, expect, it } from 'vitest'
import type { KeyValue } from '../src/port.ts'
import { createShelf } from '../src/shelf.ts'
import { brokenStorage, fakePlatform } from './fake.ts'

function shelfOver(storage: KeyValue, makeRoom = async () => false) {
  const platform = fakePlatform()
  const errors: unknown[] = []
  return { platform, errors, shelf: createShelf({ storage, after: platform.after, makeRoom, onTrouble: (error) => errors.push(error) }) }
}

/** A storage that can be told to fail, and counts its writes. */
function moody() {
  const { storage } = fakePlatform()
  const mood = { error: undefined as Error | undefined, writes: 0 }
  const wrapped: KeyValue = {
    ...storage,
    durability: 'disk',
    async write(change) {
      mood.writes += 1
      if (mood.error) throw mood.error
      return storage.write(change)
    },
  }
  return { storage, wrapped, mood }
}

describe('createShelf', () => {
  it('holds what is put until a commit has stored it, all in one write', async () => {
    const { storage, wrapped, mood } = moody()
    const { shelf, platform } = shelfOver(wrapped)
    shelf.put('a', 1)
    shelf.put('b', 2)
    expect([await shelf.get(['a', 'b', 'c']), await storage.get(['a'])]).toEqual([[1, 2, undefined], [undefined]])
    await shelf.commit()
    expect([await storage.get(['a', 'b']), shelf.unsaved(), mood.writes]).toEqual([[1, 2], [], 1])
    expect(await shelf.get(['b', 'a'])).toEqual([2, 1])
    await shelf.write({ delete: ['a'], set: [['d', 4]] })
    expect([await shelf.keys(''), await storage.keys('')]).toEqual([
      ['b', 'd'],
      ['b', 'd'],
    ])
    expect(platform.timers()).toBe(0)
  })

  it('writes what came during a write with the next one', async () => {
    const { storage, wrapped, mood } = moody()
    const { shelf } = shelfOver(wrapped)
    shelf.put('a', 1)
    const first = shelf.commit()
    await Promise.resolve()
    shelf.put('b', 2)
    await Promise.all([first, shelf.commit(), shelf.commit()])
    expect([await storage.get(['a', 'b']), mood.writes]).toEqual([[1, 2], 2])
  })

  it.each([
    ['fails', brokenStorage()],
    [
      'throws at once',
      new Proxy({} as KeyValue, {
        get: (_, name) =>
          name === 'durability'
            ? 'disk'
            : () => {
                throw new Error('no IndexedDB')
              },
      }),
    ],
  ])('goes on in memory when the storage %s, and says so once', async (_, storage) => {
    const { shelf, errors } = shelfOver(storage)
    await shelf.write({ set: [['a', 1]] })
    await shelf.write({ set: [['b', 2]] })
    expect(await shelf.get(['a', 'b'])).toEqual([1, 2])
    expect([errors.length, shelf.durable, shelf.unsaved().length]).toEqual([1, false, 2])
  })

  it('does not wait for ever', async () => {
    const never = () => new Promise<never>(() => {})
    const { shelf, platform, errors } = shelfOver({ get: never, write: never, keys: never })
    const reading = shelf.get(['a'])
    await Promise.resolve()
    platform.advance(3000)
    await expect(reading).rejects.toThrow('does not answer')
    await expect(shelf.keys('')).rejects.toThrow('does not answer') // at once
    expect([errors.length, shelf.durable]).toEqual([1, false])
  })

  it('rejects a read that fails: what cannot be read is not gone', async () => {
    const { wrapped } = moody()
    const { shelf, errors } = shelfOver({ ...wrapped, get: () => Promise.reject(new Error('connection lost')) })
    await expect(shelf.get(['a'])).rejects.toThrow('connection lost')
    expect([errors.length, shelf.durable]).toEqual([1, true])
  })

  it('finds what a write takes to the disk while it is being read', async () => {
    const { storage } = fakePlatform()
    let answer = () => {}
    const slow: KeyValue = {
      ...storage,
      get: async (keys) => {
        const values = await storage.get(keys)
        await new Promise<void>((resolve) => {
          answer = resolve
        })
        return values
      },
    }
    await storage.write({ set: [['old', 0]] })
    const { shelf } = shelfOver(slow)
    shelf.put('new', 1)
    const reading = shelf.get(['old', 'new'])
    await shelf.commit()
    await new Promise((resolve) => setTimeout(resolve, 1))
    answer()
    expect(await reading).toEqual([0, 1])
  })

  it('tries again after a while, deletes included, so that nothing comes back from the dead', async () => {
    const { storage, wrapped, mood } = moody()
    await storage.write({ set: [['old', 0]] })
    const { shelf, platform } = shelfOver(wrapped)
    mood.error = new Error('I/O')
    await shelf.write({ delete: ['old'], set: [['new', 1]] })
    expect([await storage.keys(''), await shelf.keys(''), await shelf.get(['old'])]).toEqual([['old'], [], [undefined]])
    mood.error = undefined
    platform.advance(30_000)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect([await storage.keys(''), shelf.durable, shelf.unsaved()]).toEqual([['new'], true, []])
  })

  it('makes room on a full disk, as long as there is any to make', async () => {
    const { storage, wrapped, mood } = moody()
    let room = 2
    const { shelf, errors } = shelfOver(wrapped, async () => {
      room -= 1
      if (room === 0) mood.error = undefined
      return room >= 0
    })
    mood.error = Object.assign(new Error('full'), { name: 'QuotaExceededError' })
    await shelf.write({ set: [['a', 1]] })
    expect([await storage.keys(''), errors]).toEqual([['a'], []])
    mood.error = Object.assign(new Error('full'), { name: 'QuotaExceededError' })
    await shelf.write({ set: [['b', 1]] })
    expect([errors.length, shelf.durable]).toEqual([1, false])
  })
})
