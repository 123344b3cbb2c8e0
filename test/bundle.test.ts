// What games download: the oldest syntax that the engines read, nothing that some host forbids, and no more of it than is stated.

import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { type Node, parse } from 'acorn'
import { describe, expect, it } from 'vitest'

const root = new URL('../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8')

const bundles = [
  { file: 'dist/player-data.js', sourceType: 'script', mostBytes: 18_432 },
  { file: 'dist/player-data.web.js', sourceType: 'script', mostBytes: 16_384 },
  { file: 'dist/player-data.mjs', sourceType: 'module', mostBytes: 18_700 },
] as const

/** Every node of a syntax tree. */
function* nodesOf(value: unknown): Generator<Node & Record<string, unknown>> {
  if (Array.isArray(value)) for (const each of value) yield* nodesOf(each)
  else if (typeof value === 'object' && value !== null) {
    if ('type' in value) yield value as Node & Record<string, unknown>
    for (const each of Object.values(value)) yield* nodesOf(each)
  }
}

/** The constructs that some host refuses, by the name to look for. */
function forbiddenIn(code: string, sourceType: 'script' | 'module'): string[] {
  const found: string[] = []
  for (const node of nodesOf(parse(code, { ecmaVersion: 2020, sourceType }))) {
    const name = node.type === 'Identifier' ? String(node.name) : ''
    if (['eval', 'Function', 'Proxy', 'BigInt', 'WebAssembly'].includes(name)) found.push(name)
    if (node.type === 'ImportExpression') found.push('import()')
    const { object, property } = node as { object?: { name?: string }; property?: { name?: string } }
    if (object?.name === 'process' && property?.name === 'env') found.push('process.env')
  }
  return found
}

describe.each(bundles)('$file', ({ file, sourceType, mostBytes }) => {
  it('is ES2017', () => {
    expect(() => parse(textOf(file), { ecmaVersion: 2017, sourceType })).not.toThrow()
  })

  it('has no construct that a host forbids', () => {
    expect(forbiddenIn(textOf(file), sourceType)).toEqual([])
  })

  it(`has at most ${mostBytes} bytes, compressed`, () => {
    expect(gzipSync(textOf(file), { level: 9 }).length).toBeLessThanOrEqual(mostBytes)
  })
})

it('docs/size.md states the sizes, within a hundredth', () => {
  const [, ...stated] = /^\| \*\*all\*\* \| \*\*([\d ]+)\*\* \| \*\*([\d ]+)\*\* \|$/m.exec(textOf('docs/size.md')) ?? []
  const sizes = ['dist/player-data.js', 'dist/player-data.web.js'].map((file) => gzipSync(textOf(file), { level: 9 }).length)
  expect(stated).toHaveLength(2)
  stated.forEach((text, at) => {
    const ratio = Number(text.replace(' ', '')) / (sizes[at] as number)
    expect(Math.abs(ratio - 1), 'run `npm run size -- --write`').toBeLessThan(0.01)
  })
})

describe('the check for forbidden constructs', () => {
  it.each([
    ['eval("1")', 'eval'],
    ['new Function("a")', 'Function'],
    ['new Proxy({}, {})', 'Proxy'],
    ['import("a")', 'import()'],
    ['if (process.env.NODE_ENV) a()', 'process.env'],
  ])('finds %s', (code, name) => {
    expect(forbiddenIn(code, 'script')).toEqual([name])
  })
})

describe.each(['dist/player-data.js', 'dist/player-data.web.js'])('%s, loaded', (file) => {
  it('adds one global and touches nothing else', () => {
    const context = createContext({})
    runInContext(textOf(file), context)
    expect(Object.keys(context)).toEqual(['PlayerData'])
  })

  it('is a global, too, where an engine wraps it in a function', () => {
    const context = createContext({})
    runInContext(`(function (module, exports, define) {${textOf(file).replace(/[/][/]#.*/, '')}})()`, context)
    expect(runInContext('typeof PlayerData.createPlayerData', context)).toBe('function')
  })
})

it('the module has the names of the global', async () => {
  const context = createContext({})
  runInContext(textOf('dist/player-data.js'), context)
  const module = await import(new URL('dist/player-data.mjs', root).href)
  expect(Object.keys(module).sort()).toEqual([...runInContext('Object.keys(PlayerData)', context)].sort())
})
