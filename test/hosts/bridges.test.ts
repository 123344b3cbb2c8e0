// The page's side of the Godot and Defold guides, in Chromium. The engines are not here: what stands in for each is its bridge alone, after
// what it does to values, and says nothing about GDScript or Lua.

import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { blocksOf, type Runner } from '../blocks.ts'
import { context, sandbox, site, usePages } from '../pages.ts'

usePages()

/** A page with the guide's block in its head, as the engine's export puts it there. */
async function open(runner: Runner): Promise<Page> {
  const [block, ...others] = blocksOf(runner)
  expect([block?.language, others]).toEqual(['html', []])
  const page = await context.newPage()
  await page.goto(`${site.url}/empty`)
  await page.setContent((block?.code ?? '').replaceAll('http://127.0.0.1:4010', sandbox.url))
  return page
}

function expectEvents(): void {
  expect(sandbox.events().map(({ event }) => [event.eventType, event.payload])).toEqual([
    ['Level_Complete', { level: 3, note: 'né "漢字" 🎮' }],
    ['Game_Paused', {}],
  ])
  expect(sandbox.stats().operations.authLogin?.succeeded).toBe(1)
  expect(sandbox.breaches()).toEqual([])
}

describe('docs/godot.md', () => {
  /** A call over the bridge: nil, booleans, numbers, strings and callbacks pass, all else is lost; an exception is logged and gives nil. */
  function callByGodot([name, args]: [name: string, args: unknown[]]): Promise<unknown> {
    const target = (globalThis as unknown as { PlayerDataGodot: Record<string, (...values: unknown[]) => unknown> }).PlayerDataGodot
    const passes = (value: unknown) => value === null || ['boolean', 'number', 'string', 'function'].includes(typeof value)
    return new Promise((resolve) => {
      const given = args.map((value) => (value === 'CALLBACK' ? (...heard: unknown[]) => resolve(heard.map(back)) : value))
      const back = (value: unknown) => (passes(value) ? value : value === undefined ? null : 'a JavaScriptObject')
      try {
        const result = back(target[name]?.(...given.map((value) => (passes(value) ? value : undefined))))
        if (!args.includes('CALLBACK')) resolve(result)
      } catch (error) {
        console.error(error)
        resolve(null)
      }
    })
  }

  it('logs in, shows the store, tracks and flushes over the bridge', async () => {
    const page = await open('godot')
    const call = (name: string, ...args: unknown[]) => page.evaluate(callByGodot, [name, args] as [string, unknown[]])
    const [code, session] = (await call('login', 'CALLBACK')) as [string, string]
    expect([code, JSON.parse(session)]).toEqual(['', expect.objectContaining({ userId: expect.stringMatching(/^player-/) })])
    expect(JSON.parse((await call('store')) as string)).toHaveProperty('activeSkus')
    expect(JSON.parse((await call('status')) as string)).toHaveProperty('isPayer.value')
    expect(await call('track', 'Level_Complete', JSON.stringify({ level: 3, note: 'né "漢字" 🎮' }))).toBe('')
    expect(await call('track', 'Game_Paused', '{}')).toBe('')
    expect(await call('track', 'Level_Complete', '[]')).toMatch(/payload/)
    expect(await call('flush', 'CALLBACK')).toEqual(['', '{"delivered":2,"remaining":0}'])
    expectEvents()
    expect(await call('logout', 'CALLBACK')).toEqual(['', 'null'])
  })

  it('says why a login fails', async () => {
    const page = await open('godot')
    sandbox.addFault({ kind: 'drop', when: 'before' })
    const [code, message] = (await page.evaluate(callByGodot, ['login', ['CALLBACK']] as [string, unknown[]])) as [string, string]
    expect([code, JSON.parse(message)]).toEqual(['network', expect.any(String)])
  })
})

describe('docs/defold.md', () => {
  it('logs in, shows the store, tracks and flushes by code and messages', async () => {
    const page = await open('defold')
    await page.addScriptTag({ content: 'var told = []; var JsToDef = { send: (id, message) => told.push(JSON.stringify([id, message])) }' })
    // biome-ignore lint/security/noGlobalEval: html5.run does just that; its result is a string, whatever it was
    const run = (code: string) => page.evaluate((text) => String(globalThis.eval(text)), `PlayerDataDefold.${code}`)
    const heard = async (id: string) =>
      vi.waitFor(async () => {
        const told = await page.evaluate(() => (globalThis as unknown as { told: string[] }).told)
        const message = told.map((text) => JSON.parse(text)).find(([name]) => name === id)
        if (!message) throw new Error(`nothing but ${told}`)
        return message[1]
      })

    expect(await run('login()')).toBe('')
    expect(await heard('player_data_login')).toMatchObject({ userId: expect.stringMatching(/^player-/), offline: false })
    expect(JSON.parse(await run('store()'))).toHaveProperty('activeSkus')
    expect(JSON.parse(await run('status()'))).toHaveProperty('isPayer.value')
    expect(await run(`track("Level_Complete",${JSON.stringify({ level: 3, note: 'né "漢字" 🎮' })})`)).toBe('')
    expect(await run('track("Game_Paused")')).toBe('')
    expect(await run('track("Level_Complete",[])')).toBe('')
    expect(await heard('player_data_error')).toMatchObject({ code: 'config', message: expect.any(String) })
    expect(await run('flush()')).toBe('')
    expect(await heard('player_data_flush')).toEqual({ delivered: 2, remaining: 0 })
    expectEvents()
  })
})
