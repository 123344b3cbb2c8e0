// The runtime's files and the layer each lives in. A file imports only from the layers below it, so a new file has to say where it
// belongs. Host globals are the compiler's business (src/tsconfig.json); what the language itself has is banned here.

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const LAYERS = [
  ['port', 'error', 'utf8', 'base64', 'hmac', 'version', 'flight', 'emitter', 'retry', 'clock'],
  ['memory', 'timers', 'id', 'jwt', 'signature', 'reply', 'transport', 'lock', 'tabs', 'event', 'shelf', 'lane'],
  ['device', 'profile', 'tokens', 'signer', 'segment', 'verdict'],
  ['api', 'options', 'outbox', 'search'],
  ['grant', 'delivery'],
  ['renewal'],
  ['session'],
  ['events'],
  ['player'],
  ['platform/*'],
  ['index'],
  ['global', 'web'],
]
/** Folders whose code is not in the game bundle, and what of the runtime each may use. */
const BESIDE = ['signing', 'node', 'sandbox', 'cli', 'contract', 'inspector', 'unity']
const LIBRARIES: Record<string, string[]> = {
  'openapi-fetch': ['api.ts'],
  'idb-keyval': ['platform/indexeddb.ts'],
}

const src = new URL('../src/', import.meta.url)
const files = readdirSync(src, { recursive: true })
  .map((file) => String(file).replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !BESIDE.some((folder) => file.startsWith(`${folder}/`)))
const codeOf = (file: string) => readFileSync(new URL(file, src), 'utf8').replace(/[/][*].*?[*][/]|^\s*[/][/].*$/gms, '')
const layerOf = (file: string) =>
  LAYERS.findIndex((layer) => layer.includes(file.replace(/[.]ts$/, '').replace(/^platform[/].*/, 'platform/*')))

/** What a file imports: files of src/ by their path there, everything else by the name that the import gives. */
function importsOf(file: string): string[] {
  return [...codeOf(file).matchAll(/\b(?:from|import) '([^']+)'/g)].map(([, name = '']) => {
    const { href } = new URL(name, new URL(file, src))
    return name.startsWith('.') && href.startsWith(src.href) ? href.slice(src.href.length) : name
  })
}

describe('layers', () => {
  it.each(files)('%s has a layer', (file) => {
    expect(layerOf(file), `say in test/layers.test.ts in which layer src/${file} lives`).toBeGreaterThanOrEqual(0)
  })

  it.each(files)('%s imports only from below', (file) => {
    for (const name of importsOf(file)) {
      const library = Object.keys(LIBRARIES).find((each) => name === each || name.startsWith(`${each}/`))
      if (library) expect(LIBRARIES[library], `who may import ${library}`).toContain(file)
      else if (name.startsWith('../generated/')) continue
      else if (file.startsWith('platform/') && name.startsWith('platform/')) continue
      else {
        expect(layerOf(name), `${file} imports ${name}`).toBeGreaterThanOrEqual(0)
        expect(layerOf(name), `${file} imports ${name}`).toBeLessThan(layerOf(file))
      }
    }
  })

  it.each(files.filter((file) => !/^platform[/]|^(global|web)[.]ts$/.test(file)))('%s asks the host for nothing', (file) => {
    expect(codeOf(file)).not.toMatch(/\bDate[.]now\b|\bnew Date\(\)|\bMath[.]random\b|\bglobalThis\b/)
  })
})

describe('docs/pictures/layers.svg', () => {
  const svg = readFileSync(new URL('../docs/pictures/layers.svg', import.meta.url), 'utf8')
  const textsOf = (kind: string) =>
    [...svg.matchAll(new RegExp(`<text class="mono ${kind}"[^>]*>(.*?)</text>`, 'g'))].map(([, text = '']) => text.replace(/<[^>]*>/g, ''))

  it('shows these layers, the lowest at the bottom', () => {
    const heights = [...svg.matchAll(/<text class="mono files" x="\d+" y="(\d+)"/g)].map(([, y]) => Number(y))
    expect(textsOf('files')).toEqual(LAYERS.map((layer) => layer.join(' ')))
    expect(heights).toEqual([...heights].sort((one, other) => other - one))
  })

  it('shows the folders beside them', () => expect(textsOf('beside')).toEqual([BESIDE.join(' ')]))
})
