// `player-data check` as it is shipped: what it prints and writes, its exit codes, and that nothing secret is in any of it.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createJunit } from '../../src/cli/check/junit.ts'
import { createRedaction } from '../../src/cli/check/redaction.ts'
import { createReport, type Report } from '../../src/cli/check/report.ts'
import { statements } from '../../src/cli/check/statements.ts'
import { createTable } from '../../src/cli/check/table.ts'
import { type Program, startProgram } from '../program.ts'
import { start } from '../sandbox/client.ts'
import { createProxy } from './check/proxy.ts'
import { readXml } from './xml.ts'

const program = fileURLToPath(new URL('../../dist/cli.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'player-data-'))
const running: Program[] = []

afterEach(() => {
  for (const started of running.splice(0)) started.kill()
})
afterAll(() => rmSync(folder, { recursive: true }))

async function check(args: string[], { secret = 'dev-secret', command = [process.execPath, program] } = {}) {
  const [name = '', ...words] = command
  const started = startProgram(name, [...words, 'check', ...args], { env: { PLAYER_DATA_SECRET: secret } })
  running.push(started)
  const code = await started.exit
  return { code, ...started.shown }
}

const flagsOf = (url: string) => ['--base-url', url, '--api-key', 'dev-key']

const text = { type: 'string', minLength: 1 }
const count = { type: 'integer', minimum: 0 }
const object = (properties: object, optional: string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
})
/** What `--json` prints. */
const schema = object(
  {
    version: { type: 'string', pattern: '^\\d+[.]\\d+[.]\\d+$' },
    baseUrl: { type: 'string', pattern: '^https?://' },
    startedAt: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.]\\d{3}Z$' },
    durationMs: count,
    result: { enum: ['pass', 'fail', 'unreachable'] },
    message: text,
    requests: count,
    events: count,
    counts: object({ pass: count, fail: count, unspecified: count, skipped: count }),
    statements: {
      type: 'array',
      items: object({
        id: text,
        topic: text,
        title: text,
        section: text,
        fix: { type: 'string' },
        result: { enum: ['pass', 'fail', 'unspecified', 'skipped'] },
        seen: text,
        durationMs: count,
      }),
    },
  },
  ['message'],
)
const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema)

function readJson(out: string): Report {
  const report = JSON.parse(out)
  validate(report)
  expect(validate.errors).toBe(null)
  return report
}

describe('player-data check', () => {
  it('prints a table, and ends with 0 where nothing fails', async () => {
    const { sandbox } = await start()
    const { code, out, err } = await check(flagsOf(sandbox.url))
    expect([code, err]).toEqual([0, ''])
    const rows = out.split('\n').filter((line) => /^ {2}(pass|unspecified|skipped) /.test(line))
    expect(rows).toHaveLength(statements.length)
    expect(new Set(rows.map((row) => row.indexOf(row.trim().split(/\s+/)[1] ?? ''))).size).toBe(1)
    expect(out).toMatch(/37 passed, none failed, 11 unspecified, 1 skipped [(]38 requests, 3 events, \d+[.]\d s[)]\n$/)
    expect(out).not.toContain('\x1b')
  })

  it('says what failed, what was seen and how to fix it, and ends with 1', async () => {
    const { sandbox } = await start({ dateExposed: false })
    const { code, out } = await check(flagsOf(sandbox.url))
    expect(code).toBe(1)
    expect(out).toMatch(/^ {2}fail +cors-exposed +A page may read the headers Date and Retry-After$/m)
    expect(out).toMatch(
      /^ +seen: not exposed: date\n +fix: {2}Send Access-Control-Expose-Headers: Date, Retry-After.*\n +see: {2}not in the spec/m,
    )
    expect(out).toContain('36 passed, 1 failed')
  })

  it('prints JSON and writes JUnit', async () => {
    const { sandbox } = await start({ dateExposed: false })
    const file = join(folder, 'report.xml')
    const { code, out, err } = await check([...flagsOf(sandbox.url), '--json', '--junit', file, '--device-id', 'mine', '--timeout', '9000'])
    expect([code, err]).toEqual([1, ''])
    const report = readJson(out)
    expect(report).toMatchObject({ result: 'fail', baseUrl: sandbox.url, requests: 38, events: 3, counts: { fail: 1 } })
    expect(report.statements.map(({ id }) => id)).toEqual(statements.map(({ id }) => id))

    const root = readXml(readFileSync(file, 'utf8'))
    const [suite] = root.children
    const totals = { tests: String(statements.length), failures: '1', errors: '0', skipped: '1' }
    expect([root.name, root.attributes, suite?.name, suite?.attributes]).toMatchObject(['testsuites', totals, 'testsuite', totals])
    const cases = suite?.children ?? []
    expect(cases.map(({ attributes }) => attributes.name?.split(':')[0])).toEqual(statements.map(({ id }) => id))
    const failures = cases.filter(({ children }) => children[0]?.name === 'failure')
    expect(failures.map(({ children }) => children[0]?.attributes.message)).toEqual(['not exposed: date'])
    expect(cases.filter(({ children }) => children[0]?.name === 'skipped')).toHaveLength(1)
  })

  it('takes the secret from standard input', async () => {
    const { sandbox } = await start({ secret: 'piped-4711' })
    const command = ['sh', '-c', 'echo piped-4711 | "$0" "$@"', process.execPath, program]
    const { code, out } = await check([...flagsOf(sandbox.url), '--no-cors'], { secret: '', command })
    expect([code, out.includes('piped-4711')]).toEqual([0, false])
    expect(out).toMatch(/skipped +cors-preflight .*\n +left out by --no-cors/)
  })

  it('asks as the page that it is told', async () => {
    const { sandbox } = await start()
    const url = await createProxy(sandbox.url, {
      reply({ headers }) {
        headers['access-control-allow-origin'] = 'https://my.game.example'
      },
    })
    expect((await check([...flagsOf(url), '--origin', 'https://my.game.example/play'])).code).toBe(0)
  })

  it('works with a base address that has a path', async () => {
    const { sandbox } = await start()
    const url = await createProxy(sandbox.url, {
      request(message) {
        message.path = message.path.replace(/^[/]game[/]api/, '')
      },
    })
    expect((await check(flagsOf(`${url}/game/api/`))).code).toBe(0)
  })
})

describe('where there is no service', () => {
  async function freePort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    return port
  }

  it('ends with 3 and says what to do, in every form', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const file = join(folder, 'unreachable.xml')
    const { code, out, err } = await check([...flagsOf(url), '--json', '--junit', file])
    expect(code).toBe(3)
    expect(err).toBe(`No service at ${url}: the connection was refused. Start the service, and check host and port of --base-url.\n`)
    expect(readJson(out)).toMatchObject({ result: 'unreachable', message: err.trim(), statements: [] })
    const [suite] = readXml(readFileSync(file, 'utf8')).children
    expect(suite?.attributes).toMatchObject({ tests: '1', errors: '1' })
    expect(suite?.children[0]?.children[0]?.attributes.message).toBe(err.trim())
  })

  it.each([
    ['http://no-such-host.invalid', 'the host name is not known'],
    ['https://127.0.0.1:PORT', 'no TLS is spoken there'],
  ])('%s', async (address, message) => {
    const { sandbox } = await start()
    const { code, out, err } = await check(flagsOf(address.replace('PORT', new URL(sandbox.url).port)))
    expect([code, out]).toEqual([3, ''])
    expect(err).toContain(message)
  })

  it('a web page', async () => {
    const { sandbox } = await start()
    sandbox.addFault({ kind: 'portal' })
    const { code, err } = await check(flagsOf(sandbox.url))
    expect(code).toBe(3)
    expect(err).toContain('not a Player Data Service (200). Give the address in front of /auth/login as --base-url')
  })
})

describe('a wrong call ends with 2 and a message, and nothing is sent', () => {
  const url = 'http://127.0.0.1:9'
  it.each([
    [[], '--base-url and --api-key are needed'],
    [['--base-url', url], '--base-url and --api-key are needed'],
    [flagsOf('api.example.com'), '--base-url must be the address in front of /auth/login'],
    [flagsOf('ftp://api.example.com'), '--base-url must be the address'],
    [flagsOf('http://me:canary-4711@127.0.0.1'), '--base-url must not hold a user name or password'],
    [flagsOf(`${url}/?token=canary-4711`), '--base-url must not hold a query'],
    [[...flagsOf(url), '--secret', 'canary-4711'], '--secret is not taken here, because arguments can be read by others'],
    [[...flagsOf(url), '--secret=canary-4711'], '--secret is not taken here'],
    [[...flagsOf(url), 'canary-4711'], 'There is an argument without a flag'],
    [[...flagsOf(url), '--timeout', '5'], '--timeout must be a whole number from 100 to 120000'],
    [[...flagsOf(url), '--origin', 'game'], '--origin must be the origin of a page'],
    [[...flagsOf(url), '--junit', join(folder, 'no', 'such', 'folder.xml')], '--junit cannot be written (ENOENT)'],
    [[...flagsOf(url), '--device-id='], '--device-id must not be empty'],
    [[...flagsOf(url), '--jsn'], "Unknown option '--jsn'"],
  ])('%j', async (args, message) => {
    const { code, out, err } = await check(args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(message)
    expect(err).not.toContain('canary')
  })

  it('without a secret', async () => {
    const { code, err } = await check(flagsOf(url), { secret: '' })
    expect(code).toBe(2)
    expect(err).toContain('There is no secret. Set the environment variable PLAYER_DATA_SECRET, or pipe the secret to standard input')
  })
})

describe('secrets', () => {
  it('are nowhere, even where the service repeats them', async () => {
    const secret = 'canary-secret-4711'
    const { sandbox } = await start({ secret, strict: false })
    const heard = new Set([secret])
    const url = await createProxy(sandbox.url, {
      request({ body, headers }) {
        const { signature, refreshToken } = body ? JSON.parse(body) : {}
        for (const each of [signature, refreshToken, headers.authorization?.slice(7)])
          if (each && each !== 'contract-check') heard.add(each)
      },
      reply(answer, { path, method, body }) {
        if (method === 'OPTIONS' || answer.body === '') return
        const value = JSON.parse(answer.body)
        for (const each of [value.accessToken, value.refreshToken]) if (each) heard.add(each)
        const all = [...heard].join(' ')
        if (answer.status >= 400) value.error = { code: all, message: `\x1b[2J${all} ${body}` }
        if (path === '/auth/login') value.tokenType = all
        if (path === '/auth/refresh') for (const each of heard) value[each] = each
        answer.body = JSON.stringify(value)
      },
    })
    const file = join(folder, 'secrets.xml')
    const table = await check(flagsOf(url), { secret })
    const json = await check([...flagsOf(url), '--json', '--junit', file], { secret })
    expect([table.code, json.code]).toEqual([1, 1])
    const shown = [table.out, table.err, json.out, json.err, readFileSync(file, 'utf8')]
    expect(heard.size).toBeGreaterThan(20)
    for (const each of heard) for (const output of shown) expect(output.includes(each)).toBe(false)
    for (const output of shown) expect([output.includes('\x1b'), output.includes('eyJ')]).toEqual([false, false])
    readXml(readFileSync(file, 'utf8'))
    readJson(json.out)
  })

  it('are hidden in texts, and so is what looks like one', () => {
    const { hide, clean } = createRedaction()
    hide('s3cret')
    hide('s3cret-longer')
    hide(undefined)
    hide('')
    expect(clean('a s3cret-longer b s3cret c')).toBe('a [hidden] b [hidden] c')
    expect(clean('token eyJhbGciOiJIUzI1NiJ9.e30.x and GvR5tljhG9EYPpIgRMUGsAh5F42lxVhZo98OrfVfgsM=')).toBe('token [hidden] and [hidden]')
    expect(clean('a\u0000b\u001b[31mc\u202ed\nе\ud800')).toBe('a b [31mc d е')
    expect(clean('word '.repeat(100))).toHaveLength(161)
  })
})

describe('forms', () => {
  it('a table has colours where asked', async () => {
    const { sandbox } = await start()
    const report = await createReport({ baseUrl: sandbox.url, apiKey: 'dev-key', secret: 'dev-secret', deviceId: 'd', timeoutMs: 5000 })
    const coloured = createTable(report, { coloured: true })
    expect(coloured).toContain('\x1b[32mpass       \x1b[0m  login ')
    const plain = coloured
      .split('\x1b')
      .map((part) => part.replace(/^\[\d+m/, ''))
      .join('')
    expect(plain).toBe(createTable(report, { coloured: false }))
  })

  it('JUnit escapes what it is given', () => {
    const line = { ...(statements[0] as (typeof statements)[number]), result: 'fail', seen: `<&"'>]]>`, durationMs: 1 } as const
    const counts = { pass: 0, fail: 1, unspecified: 0, skipped: 0 }
    const report: Report = {
      ...{ version: '1.0.0', baseUrl: 'http://x', startedAt: new Date(0).toISOString(), durationMs: 1, result: 'fail' },
      ...{ requests: 1, events: 0, counts, statements: [line] },
    }
    const [failure] = readXml(createJunit(report)).children[0]?.children[0]?.children ?? []
    expect(failure?.attributes.message).toBe(`<&"'>]]>`)
  })
})

describe('docs/check.md', () => {
  const page = new URL('../../docs/check.md', import.meta.url)
  const marks = ['<!-- statements -->', '<!-- end of statements -->'] as const

  /** The list of the code as Markdown, a table for each topic. */
  function tables(): string {
    const cell = (words: string) => words.replaceAll('|', '\\|').replaceAll('<', '&lt;')
    const topics = [...new Set(statements.map(({ topic }) => topic))]
    const tableOf = (topic: string) => {
      const rows = statements.filter((each) => each.topic === topic)
      const canFail = rows.some(({ fix }) => fix !== '')
      const head = canFail
        ? '| id | statement | specification | when it fails |\n| --- | --- | --- | --- |'
        : '| id | what is told | specification |\n| --- | --- | --- |'
      const lines = rows.map(({ id, title, section, fix }) =>
        [`\`${id}\``, title, section, ...(canFail ? [fix] : [])].map(cell).join(' | '),
      )
      return `### ${topic}\n\n${head}\n${lines.map((line) => `| ${line} |`).join('\n')}`
    }
    return `\n\n${topics.map(tableOf).join('\n\n')}\n\n`
  }

  it('has the statements of the code: otherwise run `WRITE=1 npx vitest run test/cli/check.test.ts` and commit', () => {
    const [before = '', rest = ''] = readFileSync(page, 'utf8').split(marks[0])
    const [written = '', after = ''] = rest.split(marks[1])
    if (process.env.WRITE) writeFileSync(page, `${before}${marks[0]}${tables()}${marks[1]}${after}`)
    else expect(written).toBe(tables())
  })

  it('states how many requests and events there are', async () => {
    const { sandbox } = await start()
    const options = { apiKey: 'dev-key', secret: 'dev-secret', deviceId: 'd', origin: 'https://game.example', timeoutMs: 5000 }
    const { requests, events } = await createReport({ ...options, baseUrl: sandbox.url })
    expect(readFileSync(page, 'utf8')).toContain(`It sends ${requests} requests, one after the other, and ${events} events`)
  })

  it('has every flag that the help has, and every exit code', async () => {
    const { code, out } = await check(['--help'])
    expect(code).toBe(0)
    const flags = [...out.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag).filter((flag) => flag !== '--help')
    expect(flags.length).toBeGreaterThan(5)
    const whole = readFileSync(page, 'utf8')
    for (const flag of flags) expect(whole).toMatch(new RegExp(`^[|] \`${flag}[ \`]`, 'm'))
    for (const [exit] of out.matchAll(/\b[0-3](?= (no|one|called))/g)) expect(whole).toContain(`| ${exit} |`)
  })
})
