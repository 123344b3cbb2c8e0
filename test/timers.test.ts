import { describe, expect, it } from 'vitest'
import { createTimers } from '../src/timers.ts'

function setUp() {
  let now = 1_000_000
  const ran: string[] = []
  const host = new Map<() => void, number>()
  const hostAfter = (ms: number, run: () => void) => {
    host.set(run, now + ms)
    return () => void host.delete(run)
  }
  return {
    ran,
    host,
    hostAfter,
    now: () => now,
    move(ms: number) {
      now += ms
    },
    run: (name: string) => () => void ran.push(name),
  }
}

describe('timers', () => {
  it('run by tick where the host has none, when they are due and once', () => {
    const { now, move, ran, run } = setUp()
    const timers = createTimers(now)
    timers.after(100, run('a'))
    timers.after(50, run('b'))
    timers.tick()
    move(60)
    timers.tick()
    expect(ran).toEqual(['b'])
    move(60)
    timers.tick()
    timers.tick()
    expect(ran).toEqual(['b', 'a'])
  })

  it('run by the host where it has some, and not again by tick', () => {
    const { now, move, ran, run, host, hostAfter } = setUp()
    const timers = createTimers(now, hostAfter)
    timers.after(50, run('a'))
    for (const fire of host.keys()) fire()
    move(100)
    timers.tick()
    expect(ran).toEqual(['a'])
  })

  it('run by tick where the host’s are frozen, and not again when it thaws', () => {
    const { now, move, ran, run, host, hostAfter } = setUp()
    const timers = createTimers(now, hostAfter)
    timers.after(50, run('a'))
    move(100)
    timers.tick()
    expect([ran, host.size]).toEqual([['a'], 0])
  })

  it('neither stall nor hurry much when the clock is moved', () => {
    const { now, move, ran, run } = setUp()
    const timers = createTimers(now)
    timers.after(100, run('a'))
    timers.tick()
    move(-7_200_000)
    timers.tick()
    expect(ran).toEqual([])
    move(110)
    timers.tick()
    expect(ran).toEqual(['a'])
  })

  it('that are ended do not run, whoever would have run them', () => {
    const { now, move, ran, run, host, hostAfter } = setUp()
    const timers = createTimers(now, hostAfter)
    timers.after(10, run('a'))()
    timers.after(10, run('b'))
    timers.after(10, run('c'))
    timers.clear()
    move(100)
    timers.tick()
    expect([ran, host.size]).toEqual([[], 0])
  })

  it('stand a host that runs them at once', () => {
    const { now, ran, run } = setUp()
    const timers = createTimers(now, (_, fire) => {
      fire()
      return () => {}
    })
    timers.after(0, run('a'))
    timers.tick()
    expect(ran).toEqual(['a'])
  })

  it('ended by one that runs before them do not run in the same tick', () => {
    const { now, move, ran, run } = setUp()
    const timers = createTimers(now)
    let end = () => {}
    timers.after(10, () => end())
    end = timers.after(10, run('late'))
    move(20)
    timers.tick()
    expect(ran).toEqual([])
  })
})
