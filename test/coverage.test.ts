// The documentation names all that there is: what the package exports, what can be set, what is told, what can go wrong, what can be
// typed. Each list is read from the code, and each entry must stand in a code span of some page.

import { readdirSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
// @ts-expect-error a script, without types
import { readFaces } from '../docs/reference.mjs'
import { blocks, pages, printsOf, textOf } from './blocks.ts'

interface Entry {
  name: string
  kind: string
  members: { name: string }[]
}

const faces: Record<string, Entry[]> = readFaces()
const entries = Object.entries(faces).flatMap(([module, found]) => found.map((entry) => ({ ...entry, module })))
const membersOf = (name: string) => {
  const members = entries.find((entry) => entry.name === name)?.members.map((member) => member.name) ?? []
  expect(members.length, name).toBeGreaterThan(0)
  return members
}

/** The texts in backticks, code blocks left out: those show a use, these name a thing. */
const spansOf = (page: string) =>
  [
    ...textOf(page)
      .replace(/^```.*?^```$/gms, '')
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, text = '']) => text)
const guides = pages.filter((page) => page !== 'docs/reference.md')
const inGuides = guides.flatMap(spansOf)
const anywhere = pages.flatMap(spansOf)

const isIn = (spans: string[]) => (name: string) => {
  const whole = new RegExp(`(?<![\\w-])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`)
  return spans.some((span) => whole.test(span))
}
const missing = (names: string[], spans = inGuides) => names.filter((name) => !isIn(spans)(name))

/** The quoted words of a table's first column. */
function firstColumn(page: string, heading: string): string[] {
  const [, section = ''] = textOf(page).split(`\n## ${heading}\n`)
  const [table = ''] = section.split('\n## ')
  return [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, word = '']) => word)
}

describe('the documentation names', () => {
  it('every public name', () => {
    expect(entries.length).toBeGreaterThan(50)
    expect(
      missing(
        entries.map(({ name }) => name),
        anywhere,
      ),
    ).toEqual([])
  })

  it('in a guide, every function and value that can be imported', () => {
    const values = entries.filter(({ kind, name }) => kind === 'function' || kind === 'value' || name === 'PlayerDataError')
    expect(values.length).toBeGreaterThan(10)
    expect(missing(values.map(({ name }) => name))).toEqual([])
  })

  const options = entries.filter(({ name }) => /Options$/.test(name)).map(({ name }) => name)
  it.each([...options, 'Settings', 'PlayerData', 'PlayerStats', 'Session', 'Controls'])('in a guide, every member of %s', (name) => {
    expect(missing(membersOf(name))).toEqual([])
  })

  it.each(['Platform', 'KeyValue', 'HttpRequest', 'HttpResponse', 'RequestEntry', 'ReceivedEvent', 'Stats'])(
    'every member of %s',
    (name) => {
      expect(missing(membersOf(name), anywhere)).toEqual([])
    },
  )

  it('in a guide, every event of on(), as one writes it', () => {
    const tables = [...firstColumn('docs/session.md', 'Events')]
    const written = (name: string) => inGuides.some((span) => span.includes(`on('${name}')`)) || tables.includes(name)
    expect(membersOf('PlayerEvents').filter((name) => !written(name))).toEqual([])
  })

  it('in a guide, every kind of fault', () => {
    const kinds = membersOf('Fault').map((form) => /kind: '([\w-]+)'/.exec(form)?.[1] ?? form)
    expect(missing(kinds)).toEqual([])
  })
})

describe('docs/errors.md', () => {
  const codes = membersOf('ErrorCode')

  it('has every error code, in the order of the union', () => {
    expect(firstColumn('docs/errors.md', 'Codes')).toEqual(codes)
  })

  it('has every drop reason, in the order of the union', () => {
    expect(firstColumn('docs/errors.md', 'Drop reasons')).toEqual(membersOf('DropReason'))
  })

  it('shows for every code a message that the page itself provokes', () => {
    const printed = blocks.filter(({ page }) => page === 'docs/errors.md').flatMap(printsOf)
    const rows = [...textOf('docs/errors.md').matchAll(/^\| `(\w+)` \| [^|]* \| \*(.+?)\* \|/gm)]
    expect(rows.map(([, code]) => code)).toEqual(codes)
    for (const [, code, message] of rows) expect(printed).toContain(`${code}: ${message}`)
  })

  it('says of every call of the player what it can fail with', () => {
    const [, calls = ''] = textOf('docs/errors.md').split('## What each call can fail with')
    const [table = ''] = calls.split('\n## ')
    const properties = ['session', 'status', 'store']
    const names = membersOf('PlayerData').filter((name) => !properties.includes(name))
    expect(names.filter((name) => !new RegExp(`^\\|.*\`${name}(\`|[.])`, 'm').test(table))).toEqual([])
  })
})

describe('docs/unspecified.md', () => {
  /** The cells of a table's first column in the contract's own text. */
  function statedIn(section: string): string[] {
    const [, text = ''] = textOf('openapi.yaml').split(`\n    # ${section}\n`)
    const [table = ''] = text.split(/\n {4}# |\nservers:/)
    return [...table.matchAll(/^ {4}\| ([^|]+) \| /gm)].map(([, cell = '']) => cell).slice(2)
  }

  it.each(['What is not specified', 'What is inferred'])('has each line of the contract’s “%s”', (section) => {
    const stated = statedIn(section)
    expect(stated.length).toBeGreaterThan(5)
    const rows = [...textOf('docs/unspecified.md').matchAll(/^\| ([^|]+) \| /gm)].map(([, cell = '']) => cell)
    expect(stated.filter((line) => !rows.includes(line))).toEqual([])
  })
})

describe('the command line', () => {
  const files = readdirSync(new URL('../src/cli/', import.meta.url), { recursive: true })
    .map((file) => `src/cli/${String(file).replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts'))
  const sources = files.map((file) => ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true))

  function* nodesOf(node: ts.Node): Generator<ts.Node> {
    yield node
    for (const child of node.getChildren()) yield* nodesOf(child)
  }
  const namesIn = (node: ts.Node | undefined) =>
    node && ts.isObjectLiteralExpression(node)
      ? node.properties.flatMap(({ name }) => (name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? [name.text] : []))
      : []

  const commands = sources
    .flatMap((source) => [...nodesOf(source)])
    .flatMap((node) => (ts.isVariableDeclaration(node) && node.name.getText() === 'commands' ? namesIn(node.initializer) : []))
  const flags = sources
    .flatMap((source) => [...nodesOf(source)])
    .flatMap((node) => (ts.isCallExpression(node) && node.expression.getText() === 'readFlags' ? namesIn(node.arguments[1]) : []))

  it('has every command in a guide', () => {
    expect(commands).toContain('sandbox')
    expect(missing(commands.map((command) => `player-data ${command}`))).toEqual([])
  })

  it('has every flag in a guide', () => {
    expect(flags).toContain('expires-in')
    const named = inGuides.flatMap((span) => [...span.matchAll(/--([a-z-]+)/g)].map(([, flag]) => flag))
    expect([...flags, 'help', 'version'].filter((flag) => !named.includes(flag))).toEqual([])
  })
})

describe('npm scripts', () => {
  const { scripts, version } = JSON.parse(textOf('package.json'))

  it('are each in a guide', () => {
    // Run by npm itself, before it packs.
    const typed = Object.keys(scripts).filter((name) => name !== 'prepack')
    expect(missing(typed.map((name) => (['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`)))).toEqual([])
  })

  it('release one version: that of the package is that of the contract', () => {
    expect(/^ {2}version: (.*)$/m.exec(textOf('openapi.yaml'))?.[1]).toBe(version)
  })
})
