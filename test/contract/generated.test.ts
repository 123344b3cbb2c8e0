import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
// @ts-expect-error a script, without types
import { generate } from '../../src/contract/generate.mjs'

const folder = new URL('../../generated/', import.meta.url)
const fresh: Record<string, string> = await generate()

describe('generated/', () => {
  it('holds these files and no others', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(fresh).sort())
  })

  it.each(Object.keys(fresh))('%s is fresh: otherwise run `npm run generate` and commit', (name) => {
    expect(readFileSync(new URL(name, folder), 'utf8') === fresh[name]).toBe(true)
  })

  it.each(Object.keys(fresh))('%s says what made it', (name) => {
    expect(fresh[name]?.slice(0, 200)).toContain('Generated from openapi.yaml by `npm run generate`')
  })
})

describe('the edition for other generators', () => {
  const text = fresh['openapi.compat.yaml'] ?? ''
  const compat = parse(text)
  const exact = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'))

  it('is OpenAPI 3.0.3 without unions and without words of 3.1', () => {
    expect(compat.openapi).toBe('3.0.3')
    expect(text).not.toMatch(/^\s*(oneOf|anyOf|allOf|const|if|then|\$defs|identifier):/m)
  })

  it('has the same operations, parameters and examples', () => {
    const operations = (document: typeof exact) => Object.entries(document.paths).map(([path, item]) => [path, Object.keys(item as object)])
    expect(operations(compat)).toEqual(operations(exact))
    expect(compat.components.parameters).toEqual(exact.components.parameters)
    expect(compat.components.examples).toEqual(exact.components.examples)
  })

  it('merges the bare and the wrapped form, no member of which is required', () => {
    const { PlayerStatusResult } = compat.components.schemas
    expect(Object.keys(PlayerStatusResult.properties)).toEqual(['isPayer', 'data', 'status'])
    expect(PlayerStatusResult.required).toBeUndefined()
  })

  it('lets an error be text or an object', () => {
    const { ErrorBody } = compat.components.schemas
    expect(ErrorBody.required).toEqual(['error'])
    expect(ErrorBody.properties.error.type).toBeUndefined()
  })
})
