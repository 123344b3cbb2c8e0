import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const built = new URL('../../dist/node.mjs', import.meta.url).href
let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'player-data-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Runs a script with `storage` in a process of its own, and gives what it printed. */
async function run(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program(script)])
  return stdout.trim()
}

function program(script: string): string {
  return `import { fileStorage } from ${JSON.stringify(built)}
    const storage = fileStorage(${JSON.stringify(directory)})
    const print = (value) => console.log(JSON.stringify(value === undefined ? null : value))
    ${script}`
}

describe('the file storage', () => {
  it('keeps values of every kind over a restart, and lists keys by prefix in order', async () => {
    await run(`await storage.write({ set: [['b/2', { deep: [1, null] }], ['b/1', 'né 漢字 🎮 \\u0000'], ['a', 0]] })`)
    expect(await run(`print([await storage.get(['a', 'b/1', 'b/2', 'none']), await storage.keys('b/')])`)).toBe(
      JSON.stringify([
        [0, 'né 漢字 🎮 \u0000', { deep: [1, null] }, null],
        ['b/1', 'b/2'],
      ]),
    )
  })

  it('makes the folder and is readable by this user alone', async () => {
    directory = join(directory, 'new', 'one')
    await run(`await storage.write({ set: [['token', 'x']] })`)
    const mode = (path: string) => statSync(path).mode & 0o777
    expect([mode(directory), mode(join(directory, 'player-data.jsonl'))]).toEqual([0o700, 0o600])
  })

  it('is not reached by what a caller does with a value', async () => {
    const seen = await run(`const value = { n: 1 }
      await storage.write({ set: [['a', value]] })
      const [read] = await storage.get(['a'])
      read.n = 2
      print(await storage.get(['a']))`)
    expect(seen).toBe('[{"n":1}]')
  })

  it('leaves out a line that was cut short, and only that one', async () => {
    await run(`await storage.write({ set: [['a', 1]] }); await storage.write({ set: [['b', 2]] })`)
    appendFileSync(join(directory, 'player-data.jsonl'), '{"set":[["c",3')
    expect(await run(`await storage.write({ set: [['d', 4]] }); print(await storage.get(['a', 'b', 'c', 'd']))`)).toBe('[1,2,null,4]')
    expect(await run(`print(await storage.keys(''))`)).toBe('["a","b","d"]')
  })

  it('leaves no trace of what was deleted', async () => {
    await run(`await storage.write({ set: [['token', 'canary-1']] })
      await storage.write({ set: [['token', 'canary-2'], ['kept', 1]] })
      await storage.write({ delete: ['token'] })`)
    expect(readFileSync(join(directory, 'player-data.jsonl'), 'utf8')).not.toContain('canary')
    expect(await run(`print(await storage.keys(''))`)).toBe('["kept"]')
  })

  it('does not grow without end', async () => {
    await run(`for (let at = 0; at < 300; at += 1) await storage.write({ set: [['a', 'x'.repeat(10_000)], ['b' + (at % 3), at]] })
      await storage.write({ delete: ['b0'] })`)
    expect(statSync(join(directory, 'player-data.jsonl')).size).toBeLessThan(1_100_000)
    expect(await run(`print([await storage.keys(''), (await storage.get(['a']))[0].length])`)).toBe('[["a","b1","b2"],10000]')
  })

  it('is refused to a second process, which says whose it is, and free when the first has died', async () => {
    const first = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      program(`await storage.keys(''); console.log('up'); setInterval(() => {}, 1000)`),
    ])
    await once(first.stdout, 'data')
    await expect(run(`await storage.keys('')`)).rejects.toThrow(`Process ${first.pid} uses this folder`)
    first.kill('SIGKILL')
    await once(first, 'exit')
    expect(await run(`print(await storage.keys(''))`)).toBe('[]')
  })

  it('takes a lock left by its own process number, as a container does that always has number 1', async () => {
    expect(
      await run(`import { writeFileSync } from 'node:fs'
        writeFileSync(${JSON.stringify(join(directory, 'lock'))}, String(process.pid))
        print(await storage.keys(''))`),
    ).toBe('[]')
  })

  it('is one storage for two players of a process', async () => {
    expect(
      await run(`const other = fileStorage(${JSON.stringify(`${directory}/`)})
        await Promise.all([storage.write({ set: [['a', 1]] }), other.write({ set: [['b', 2]] })])
        print(await storage.keys(''))`),
    ).toBe('["a","b"]')
  })

  it('tells what it cannot do, and goes on when it can', async () => {
    writeFileSync(join(directory, 'file'), '')
    directory = join(directory, 'file')
    expect(await run(`print(await storage.keys('').then(() => 'fine', (error) => error.code))`)).toMatch(/ENOTDIR|EEXIST/)
  })

  it('asks for room when the disk is full, keeps what is there, and takes the next change that fits', async () => {
    const script = program(`const big = 'x'.repeat(6000)
      await storage.write({ set: [['a', big]] })
      const outcome = await storage.write({ set: [['b', big]] }).then(() => 'fine', (error) => error.name)
      await storage.write({ set: [['c', 1]] })
      print([outcome, await storage.keys('')])`)
    // A limit on the size of files, in KiB, is as near to a full disk as a test can come without one.
    const { stdout } = await promisify(execFile)('bash', [
      '-c',
      'ulimit -f 8 && exec "$0" --input-type=module -e "$1"',
      process.execPath,
      script,
    ])
    expect(JSON.parse(stdout)).toEqual(['QuotaExceededError', ['a', 'c']])
    expect(await run(`print(await storage.keys(''))`)).toBe('["a","c"]')
  })

  it('loses nothing that was written when the process is killed, 8 times over', async () => {
    let committed = 0
    for (let round = 0; round < 8; round += 1) {
      const child = spawn(process.execPath, [
        '--input-type=module',
        '-e',
        program(`let n = (await storage.keys('')).length
          if (n < ${committed}) console.log('lost')
          for (;;) { await storage.write({ set: [[String(n).padStart(6, '0'), 'x'.repeat(2000)]] }); n += 1; process.stdout.write(n + '\\n') }`),
      ])
      let printed = ''
      child.stdout.on('data', (chunk) => {
        printed += chunk
      })
      await once(child.stdout, 'data')
      await sleep(20 + 25 * round)
      child.kill('SIGKILL')
      await once(child, 'close')
      expect(printed).not.toContain('lost')
      committed = Number(printed.trim().split('\n').slice(-1)[0]?.trim() || committed)
    }
    const keys = JSON.parse(await run(`print(await storage.keys(''))`))
    expect(keys.length).toBeGreaterThanOrEqual(committed)
    expect(keys).toEqual(keys.map((_: string, at: number) => String(at).padStart(6, '0')))
  })
})
