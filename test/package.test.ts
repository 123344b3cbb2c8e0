// The npm package as a user gets it: what it holds, and that it works in an empty project.

import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProgram } from './program.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const run = promisify(execFile)
const project = mkdtempSync(join(tmpdir(), 'player-data-user-'))
let files: string[]

beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], { cwd: root })
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string; files: { path: string }[] }]
  files = packed.files.map(({ path }) => path)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'a-game', private: true, type: 'module' }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(project, packed.filename)], { cwd: project })
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

describe('the package', () => {
  it('holds what users need and nothing else', () => {
    const allowed =
      /^(package[.]json|README[.]md|LICENSE|CHANGELOG[.]md|openapi[.]yaml|generated[/]openapi([.]compat)?[.](yaml|json)|dist[/](player-data|player-data[.](web|global|inspector)|inspector|signing|node|sandbox|cli)[.](js|mjs|d[.]ts|d[.]mts|js[.]map|mjs[.]map)|test[/]vectors[/]signatures[.]json)$/
    expect(files.filter((file) => !allowed.test(file) && !file.startsWith('dist/unity/com.playerdata.runtime/'))).toEqual([])
    const { exports, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const named = [
      ...Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry as object))),
      ...Object.values(bin),
    ]
    for (const file of named) expect(files).toContain(String(file).replace('./', ''))
  })

  it('has no dependencies', () => {
    const { dependencies, peerDependencies, scripts } = JSON.parse(
      readFileSync(join(project, 'node_modules/player-data-runtime/package.json'), 'utf8'),
    )
    expect([dependencies, peerDependencies, scripts.postinstall]).toEqual([undefined, undefined, undefined])
  })

  it('can be imported, and its command run', async () => {
    writeFileSync(
      join(project, 'game.mjs'),
      `import { createPlayerData, developmentSigner } from 'player-data-runtime'
       import { sign } from 'player-data-runtime/signing'
       import { createRequire } from 'node:module'
       const require = createRequire(import.meta.url)
       const signer = developmentSigner({ secret: 'dev-secret' })
       const player = createPlayerData({ baseUrl: process.argv[2], apiKey: 'dev-key', signer })
       const session = await player.login()
       console.log(session.userId, typeof sign, require.resolve('player-data-runtime/openapi.yaml'), require.resolve('player-data-runtime/openapi.compat.yaml'))`,
    )
    const sandbox = startProgram('npx', ['player-data', 'sandbox', '--port', '0'], { cwd: project })
    try {
      const [url] = await sandbox.printed(/http:[/][/]127[.]0[.]0[.]1:[0-9]+/)
      const { stdout } = await run(process.execPath, ['game.mjs', url], { cwd: project })
      expect(stdout).toMatch(/^player-\w+ function .*openapi[.]yaml .*openapi[.]compat[.]yaml/)
    } finally {
      sandbox.kill()
    }
  })

  it('has types that a strict project can use', { timeout: 60_000 }, async () => {
    writeFileSync(
      join(project, 'game.ts'),
      `import { createPlayerData, developmentSigner, isPlayerDataError, type Session } from 'player-data-runtime'
       import { createSandbox } from 'player-data-runtime/sandbox'
       import { fileStorage } from 'player-data-runtime/node'
       import { sign } from 'player-data-runtime/signing'
       const platform = { storage: fileStorage('folder') }
       const player = createPlayerData({ baseUrl: '', apiKey: '', signer: developmentSigner({ secret: '' }), platform })
       export const session: Promise<Session> = player.login()
       export const price: number | undefined = player.store?.activeSkus[0]?.offerPrice
       export const data = player.api.GET('/v1/player/status').then(({ data }) => data?.isPayer.value satisfies boolean | undefined)
       export const url: Promise<string> = createSandbox({ reply: 'wrapped' }).then((sandbox) => sandbox.url)
       export const code = (error: unknown) => (isPlayerDataError(error) ? error.code : undefined)
       export { sign }
       // @ts-expect-error the signer is missing
       createPlayerData({ baseUrl: '', apiKey: '' })`,
    )
    for (const [module, moduleResolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ]) {
      const strict = { noEmit: true, strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }
      const compilerOptions = { ...strict, target: 'es2022', lib: ['es2022', 'dom'], types: [], module, moduleResolution }
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['game.ts'] }))
      const { stdout } = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], { cwd: project }).catch(
        (error) => error,
      )
      expect(stdout).toBe('')
    }
  })

  it('has types for projects that resolve modules in the old way, as Cocos Creator does', { timeout: 60_000 }, async () => {
    const game = join(project, 'cocos')
    cpSync(join(root, 'docs/examples/cocos/npm'), game, { recursive: true })
    const config = JSON.parse(readFileSync(join(game, 'tsconfig.json'), 'utf8').replace(/^\s*[/][/].*/m, ''))
    const { paths: _, ...compilerOptions } = config.compilerOptions
    const typeRoots = [join(root, 'node_modules')]
    writeFileSync(join(game, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...compilerOptions, typeRoots }, include: ['*.ts'] }))
    const { stdout } = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], { cwd: game }).catch((error) => error)
    expect(stdout).toBe('')
  })
})
