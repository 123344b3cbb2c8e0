// docs/reference.md is what the doc comments say, and they say something of every name.

import { describe, expect, it } from 'vitest'
// @ts-expect-error a script, without types
import { readFaces, writeReference } from '../docs/reference.mjs'
import { textOf } from './blocks.ts'

interface Entry {
  name: string
  doc: string
  members: { name: string; doc: string; required: boolean; value?: string }[]
}

const faces: Record<string, Entry[]> = readFaces()
const entries = Object.entries(faces).flatMap(([module, found]) => found.map((entry) => ({ module, ...entry })))

describe('the runtime reference', () => {
  it('is fresh: otherwise run `npm run reference` and commit', () => {
    expect(textOf('docs/reference.md') === writeReference(faces)).toBe(true)
  })

  it('has every module of the package, but for the inspector, which has a page of its own', () => {
    const { exports, name } = JSON.parse(textOf('package.json'))
    const modules = Object.entries(exports).filter(([path, target]) => typeof target === 'object' && path !== './inspector')
    expect(Object.keys(faces).sort()).toEqual(modules.map(([path]) => path.replace('.', name)).sort())
  })

  it.each(entries)('$module: $name is described, and so are its members', ({ name, doc, members }) => {
    expect(doc || members.every((member) => member.doc), `${name} has no doc comment`).toBeTruthy()
    expect(members.filter((member) => !member.doc).map((member) => `${name}.${member.name}`)).toEqual([])
  })

  it.each(entries.filter(({ name }) => /Options$/.test(name)))('$module: $name says each default', ({ members }) => {
    expect(members.filter(({ required, value }) => !required && !value).map(({ name }) => name)).toEqual([])
  })

  it('states the defaults that the code has', () => {
    const code = `${textOf('src/options.ts')}${textOf('src/sandbox/settings.ts')}`
    const numbers = new Map([...code.matchAll(/^ {2}(\w+): ([\d_]+|1024 \* 1024),$/gm)].map(([, name = '', value = '']) => [name, value]))
    const tables = entries.filter(({ name }) => name === 'EventOptions' || name === 'Settings').flatMap(({ members }) => members)
    expect(numbers.size).toBeGreaterThan(5)
    for (const [name, value] of numbers) {
      const number = value === '1024 * 1024' ? 1_048_576 : Number(value.replaceAll('_', ''))
      const [stated = ''] = tables.filter((member) => member.name === name).map((member) => member.value)
      expect(Number(stated.replace(/[(].*/, '').replaceAll(' ', '')), name).toBe(number)
    }
  })
})
