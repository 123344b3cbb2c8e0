import { describe, expect, it } from 'vitest'
import { createEmitter } from '../src/emitter.ts'

describe('createEmitter', () => {
  it('tells every listener of that event, until it ends', () => {
    const emitter = createEmitter<{ one: number; two: string }>((run) => run())
    const heard: unknown[] = []
    const off = emitter.on('one', (event) => heard.push(event))
    emitter.on('one', (event) => heard.push(-event))
    emitter.on('two', (event) => heard.push(event))
    emitter.emit('one', 1)
    off()
    emitter.emit('one', 2)
    emitter.emit('two', 'x')
    emitter.clear()
    emitter.emit('one', 3)
    expect(heard).toEqual([1, -1, -2, 'x'])
  })

  it('a listener that throws harms no other, and its error reaches the host', () => {
    const later: (() => void)[] = []
    const emitter = createEmitter<{ one: number }>((run) => later.push(run))
    const heard: number[] = []
    emitter.on('one', () => {
      throw new Error('the game’s own mistake')
    })
    emitter.on('one', (event) => heard.push(event))
    expect(() => emitter.emit('one', 1)).not.toThrow()
    expect(heard).toEqual([1])
    expect(later).toHaveLength(1)
    expect(later[0]).toThrow('the game’s own mistake')
  })
})
