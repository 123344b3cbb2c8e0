// The Unity package as the build writes it: what Unity would refuse, or import in another way than meant. Whether it works is the business
// of test/hosts/heavy/unity.test.ts.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { parse } from 'acorn'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'

const root = new URL('../', import.meta.url)
const folder = new URL('dist/unity/com.playerdata.runtime/', root)
const textOf = (path: string) => readFileSync(new URL(path, folder), 'utf8')
const sourceOf = (path: string) => readFileSync(new URL(path, root), 'utf8')
const all = readdirSync(folder, { recursive: true }).map((file) => String(file).replaceAll('\\', '/'))
const files = all.filter((path) => !path.endsWith('.meta'))
const plugins = ['Runtime/Plugins/WebGL/PlayerData.jspre', 'Runtime/Plugins/WebGL/PlayerData.jslib']
const scripts = files.filter((path) => path.endsWith('.cs'))
const { version } = JSON.parse(sourceOf('package.json'))
const manifest = JSON.parse(textOf('package.json'))
/** Emscripten puts the call of a function pointer in place of these. */
const preprocessed = (text: string) => text.replace(/[{]{3}.*?[}]{3}/g, 'dynCall')

describe('the package', () => {
  it('has what Unity expects of one', () => {
    expect(manifest).toMatchObject({ name: 'com.playerdata.runtime', version, unity: '2021.3', displayName: 'Player Data Runtime' })
    for (const { path } of manifest.samples) expect(statSync(new URL(path, folder)).isDirectory()).toBe(true)
    for (const path of ['README.md', 'CHANGELOG.md', 'LICENSE.md', 'Documentation~/index.md', ...plugins]) {
      expect(textOf(path).length, path).toBeGreaterThan(200)
    }
    expect(textOf('LICENSE.md')).toBe(sourceOf('LICENSE'))
    expect(files.filter((path) => path.endsWith('.asmdef'))).toEqual(['Runtime/PlayerData.Runtime.asmdef'])
    expect(JSON.parse(textOf('Runtime/PlayerData.Runtime.asmdef'))).toMatchObject({ includePlatforms: [], autoReferenced: true })
  })

  it('has a .meta for each file and folder that Unity imports, and for no other', () => {
    const imported = files.filter((path) => !/^Documentation~|^Samples~$/.test(path))
    expect(all.filter((path) => path.endsWith('.meta')).sort()).toEqual(imported.map((path) => `${path}.meta`).sort())
  })

  it('has GUIDs of its own that stay', () => {
    const guids = all.filter((path) => path.endsWith('.meta')).map((path) => /^guid: ([0-9a-f]{32})$/m.exec(textOf(path))?.[1])
    expect(guids).not.toContain(undefined)
    expect(new Set(guids).size).toBe(guids.length)
    // What a project's scenes refer to: another value here breaks them.
    expect(textOf('Samples~/FirstEvent/FirstEvent.cs.meta')).toContain('guid: 690e3daa7906f165eacc47e5010c1ee1')
    expect(textOf('Runtime/PlayerData.Runtime.asmdef.meta')).toContain('guid: 26b79ae809c4089a88ae15c6965e5f75')
  })

  it.each(plugins)('%s is for WebGL alone', (path) => {
    const { PluginImporter } = parseYaml(textOf(`${path}.meta`))
    const enabled = PluginImporter.platformData.map(({ first, second }: { first: object; second: { enabled: number } }) => [
      Object.keys(first)[0],
      second.enabled,
    ])
    expect(enabled).toEqual([
      ['Any', 0],
      ['Editor', 0],
      ['WebGL', 1],
    ])
  })

  it('names each type in a file of a folder that an assembly covers', () => {
    for (const path of scripts) expect(path).toMatch(/^(Runtime|Samples~\/FirstEvent)\/\w+[.]cs$/)
  })
})

describe('the plug-ins', () => {
  it.each(plugins)('%s is ES5, its regular expressions too', (path) => {
    expect(() => parse(preprocessed(textOf(path)), { ecmaVersion: 5 })).not.toThrow()
  })

  it.each(plugins)('%s does nothing that a host forbids', (path) => {
    expect(textOf(path)).not.toMatch(/\beval\b|new Function|\bProxy\b|\bimport\(|process[.]env|sourceMappingURL/)
  })

  it('leave nothing to the preprocessor that is not meant for it', () => {
    const [runtime = '', bridge = ''] = plugins.map((path) => textOf(path).replace(/^[/][/].*$/gm, ''))
    expect(runtime).not.toMatch(/[{]{3}|^\s*#/m)
    expect(bridge.match(/[{]{3}.*?[}]{3}/g)).toEqual(["{{{ makeDynCall('viiii', 'answer') }}}"])
    expect(bridge).not.toMatch(/^\s*#|addToLibrary|'\$?(UTF8ToString|stringToUTF8|lengthBytesUTF8|malloc|free)'/m)
  })

  it('keep the runtime to themselves', () => {
    const page = createContext({ PlayerData: 'the page’s own', setTimeout })
    const names = Object.keys(page)
    const runtime = runInContext(`(function () {${textOf(plugins[0] as string)}; return PlayerDataRuntime})()`, page)
    expect(Object.keys(page)).toEqual(names)
    expect(page.PlayerData).toBe('the page’s own')
    expect(runtime.version).toBe(version)
  })

  it('have errors that can be told apart, although ES5 cannot inherit from Error', () => {
    const page = createContext({})
    const runtime = runInContext(`${textOf(plugins[0] as string)}; PlayerDataRuntime`, page)
    const thrown = runInContext(`(function () { try { PlayerDataRuntime.createPlayerData({}) } catch (error) { return error } })()`, page)
    expect(runtime.isPlayerDataError(thrown)).toBe(true)
    expect([thrown.code, thrown.name, thrown.status]).toEqual(['config', 'PlayerDataError', undefined])
    expect(thrown.stack).toContain('createPlayerData')
    expect(thrown).toBeInstanceOf(runInContext('Error', page))
  })

  it('are as small as the guide says', () => {
    const [, kilobytes] = /adds (\d+) KB to the download/.exec(sourceOf('docs/unity.md')) ?? []
    const bytes = plugins.map((path) => gzipSync(textOf(path), { level: 9 }).length).reduce((sum, size) => sum + size)
    expect(bytes / 1000).toBeLessThan(Number(kilobytes))
  })
})

describe('the C# face', () => {
  const words = (name: string) => {
    const [, list = ''] = new RegExp(`${name} = new List<string>\\s*[{](.*?)[}]`, 's').exec(textOf('Runtime/Words.cs')) ?? []
    return [...list.matchAll(/"([\w-]+)"/g)].map(([, word]) => word)
  }
  const union = (path: string, name: string) => {
    const [, list = ''] = new RegExp(`(?:type ${name} =|${name}\\??:) (.*)`).exec(sourceOf(path)) ?? []
    return [...list.matchAll(/'([\w-]+)'/g)].map(([, word]) => word)
  }
  const enumOf = (name: string) => {
    const [, body = ''] = scripts.map((path) => new RegExp(`enum ${name}\\s*[{](.*?)[}]`, 's').exec(textOf(path))).find(Boolean) ?? []
    return [...body.matchAll(/^\s*(\w+),$/gm)].map(([, member]) => member)
  }
  const pascal = (word = '') => word.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())

  it.each([
    ['ErrorCodes', 'PlayerDataErrorCode', 'src/error.ts', 'ErrorCode', ['Unexpected']],
    ['States', 'PlayerState', 'src/player.ts', 'PlayerState', []],
    ['DropReasons', 'DropReason', 'src/outbox.ts', 'DropReason', []],
    ['Durabilities', 'Durability', 'src/events.ts', 'durability', []],
    ['Consents', 'Consent', 'src/options.ts', 'Consent', []],
    ['TokenPlaces', 'TokenPlace', 'src/options.ts', 'tokens', []],
    ['Leavings', 'OnLeave', 'src/options.ts', 'onLeave', []],
    ['Priorities', 'EventPriority', 'src/event.ts', 'Priority', []],
  ] as const)('%s are the runtime’s', (table, name, path, type, more) => {
    expect(words(table).length).toBeGreaterThan(1)
    expect(words(table)).toEqual(union(path, type))
    expect(enumOf(name)).toEqual([...words(table).map(pascal), ...more])
  })

  it.each(['PlayerStatus', 'StatusFlag', 'StoreConfig', 'Sku'])('%s has the members of the contract', (name) => {
    const { properties } = JSON.parse(sourceOf('generated/openapi.json')).components.schemas[name]
    const [, body = ''] = new RegExp(`class ${name} : JsonRecord(.*?)^    [}]`, 'ms').exec(textOf('Runtime/Results.cs')) ?? []
    const read = [...body.matchAll(/(?:Value|Text|Flag|Number|Whole|Items)\("(\w+)"\)/g)].map(([, member]) => member)
    expect(read.sort()).toEqual(Object.keys(properties).sort())
  })

  it.each([
    ['PlayerDataOptions', 'src/options.ts', 'PlayerDataOptions', ['platform']],
    ['EventOptions', 'src/options.ts', 'EventOptions', []],
    ['TrackOptions', 'src/event.ts', 'TrackOptions', []],
  ] as const)('%s has the runtime’s options', (name, path, type, less) => {
    const [, body = ''] = new RegExp(`class ${name}\\s(.*?)^    [}]`, 'ms').exec(textOf('Runtime/PlayerDataOptions.cs')) ?? []
    const written = [...body.matchAll(/(?:json, |[{] )"(\w+)",/g)].map(([, member]) => member)
    const [, members = ''] = new RegExp(`interface ${type} [{](.*?)^[}]`, 'ms').exec(sourceOf(path)) ?? []
    const options = [...members.matchAll(/^ {2}(\w+)[?]?:/gm)].map(([, member = '']) => member)
    expect(options.length).toBeGreaterThan(2)
    expect(written.sort()).toEqual(options.filter((option) => !less.includes(option as never)).sort())
  })

  it('declares the functions that the bridge has, and hears what the bridge tells', () => {
    const bridge = textOf('Runtime/Plugins/WebGL/PlayerData.jslib')
    const declared = [...textOf('Runtime/PageHost.cs').matchAll(/static extern void (\w+)/g)].map(([, name]) => name)
    expect(declared).toEqual([...bridge.matchAll(/^ {2}(PlayerDataRuntime_\w+): function/gm)].map(([, name]) => name))
    const [, events = ''] = /interface PlayerEvents [{](.*?)^[}]/ms.exec(sourceOf('src/player.ts')) ?? []
    // `request` is for logs and tools of the page, and would cross the bridge with every request.
    const told = [...events.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name).filter((name) => name !== 'request')
    const [, forwarded = ''] = /names = \[(.*)\]/.exec(bridge) ?? []
    expect([...forwarded.matchAll(/'(\w+)'/g)].map(([, name]) => name)).toEqual(told)
    const heard = [...textOf('Runtime/PlayerDataClient.cs').matchAll(/case "(\w+)":/g)].map(([, name]) => name)
    expect(heard).toEqual([...told, 'headers'])
  })

  it('uses nothing that IL2CPP cannot compile ahead, or that a WebGL page has no thread for', () => {
    for (const path of scripts) {
      expect(textOf(path), path).not.toMatch(
        /\bdynamic\b|System[.]Reflection|\bEmit\b|Task[.]Run|new Thread\b|ConfigureAwait|[.]Wait\(\)|[.]Result\b/,
      )
    }
  })
})

describe('the guide', () => {
  const guide = sourceOf('docs/unity.md')

  it('has JSON that is JSON', () => {
    const blocks = [...guide.matchAll(/^```json[^\n]*\n(.*?)^```/gms)]
    expect(blocks.length).toBeGreaterThan(0)
    for (const [, code = ''] of blocks) expect(() => JSON.parse(code)).not.toThrow()
  })

  it('is in the package, with the same scripts', () => {
    const blocks = (text: string) => [...text.matchAll(/^```csharp[^\n]*\n(.*?)^```/gms)].map(([, code]) => code)
    expect(blocks(guide).length).toBeGreaterThan(3)
    expect(blocks(textOf('Documentation~/index.md'))).toEqual(blocks(guide))
    expect(textOf('Documentation~/index.md')).not.toMatch(/\]\([^#]/)
  })

  it('names files of the package that are there', () => {
    const named = [...guide.matchAll(/`((?:Runtime|Samples~)\/[\w./~]+)`/g)].map(([, path = '']) => path)
    for (const path of named) expect(existsSync(new URL(path, folder)), path).toBe(true)
  })
})
