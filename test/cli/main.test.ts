// The program as it is shipped, started as a user starts it.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { type Program, startProgram } from '../program.ts'
import { createClient, event } from '../sandbox/client.ts'

const program = fileURLToPath(new URL('../../dist/cli.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'player-data-'))
const running: Program[] = []
const servers: Server[] = []

afterEach(() => {
  for (const started of running.splice(0)) started.kill()
  for (const server of servers.splice(0)) server.close()
})

afterAll(() => rmSync(folder, { recursive: true }))

function run(args: string[], env: Record<string, string> = {}): Program {
  const started = startProgram(process.execPath, [program, ...args], { env: { PLAYER_DATA_SECRET: '', ...env } })
  running.push(started)
  return started
}

/** Starts the sandbox and waits until it has told its address. */
async function sandbox(args: string[], env?: Record<string, string>) {
  const started = run(['sandbox', ...args], env)
  const [, url = ''] = await started.printed(/sandbox: (http:\S+).*Ctrl-C/s)
  return { ...started, url, client: createClient(url) }
}

async function occupy(port: number): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  servers.push(server)
  return (server.address() as AddressInfo).port
}

describe('player-data sandbox', () => {
  it('says how to use it, logs requests, and stops on Ctrl-C', async () => {
    const { child, shown, exit, url, client } = await sandbox(['--port', '0'])
    expect(shown.out).toContain(`${url}/_sandbox`)
    expect(shown.out).toContain(`baseUrl: "${url}"`)
    expect(shown.out).toContain('developmentSigner({ secret: "dev-secret" })')
    expect(shown.err).toBe('')
    const session = await client.login()
    await client.send(session, [event('a'), event('b')])
    await vi.waitFor(() => expect(shown.out).toMatch(/POST [/]v1[/]events {2}202 {2}\d+ ms {2}player-[0-9a-f]+ {2}2 events\n/))
    for (const token of [session.accessToken, session.refreshToken]) expect(shown.out).not.toContain(token)
    child.kill('SIGINT')
    expect(await exit).toBe(0)
  })

  it('takes its flags, keeps data, and stops on SIGTERM with a client connected', async () => {
    const data = join(folder, 'data')
    const flags = ['--port', '0', '--api-key', 'k', '--secret', 's3cr3t-91', '--expires-in', '900000', '--reply', 'wrapped']
    const { child, shown, exit, client } = await sandbox([...flags, '--errors', 'object', '--seed', 'x', '--data', data, '--quiet'])
    const session = await client.login({ apiKey: 'k', secret: 's3cr3t-91' })
    expect(session.expiresIn).toBe(900_000)
    expect(await (await client.status(session)).json()).toMatchObject({ status: 'success' })
    expect(await (await client.refresh('x')).json()).toMatchObject({ status: 'error' })
    await client.send(session, [event('a')])
    expect(readFileSync(join(data, 'events.jsonl'), 'utf8')).toMatch(/^[{].*"adId":"a".*[}]\n$/)
    expect(shown.out).not.toContain('POST')
    expect(shown.out + shown.err).not.toContain('s3cr3t-91')
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
  })

  it('takes the secret from the environment, and does not show it', async () => {
    const { shown, client } = await sandbox(['--port', '0'], { PLAYER_DATA_SECRET: 'from-env-91' })
    expect((await client.login({ secret: 'from-env-91' })).tokenType).toBe('Bearer')
    expect(shown.out).not.toContain('from-env-91')
  })

  it('warns when it can be reached from the network', async () => {
    const { shown } = await sandbox(['--port', '0', '--host', '0.0.0.0'])
    expect(shown.err).toContain('everyone on the network can reach this sandbox')
  })

  it('a taken port that was asked for: says so, and ends with 1', async () => {
    const port = await occupy(0)
    const { shown, exit } = run(['sandbox', '--port', String(port)])
    expect(await exit).toBe(1)
    expect(shown.err).toContain(`Port ${port} on 127.0.0.1 is taken. Choose another one`)
    expect(shown.err).not.toContain('    at ')
  })

  it('a taken port that was not asked for: takes the next, and says so', async () => {
    await occupy(4010).catch(() => {}) // Somebody else may have it: taken it is.
    const { shown, url } = await sandbox([])
    expect(Number(new URL(url).port)).toBeGreaterThan(4010)
    expect(shown.err).toMatch(/Port 4010 is taken, so this sandbox has port \d+/)
  })

  it('a folder that cannot be used: says so, and ends with 1', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const { shown, exit } = run(['sandbox', '--port', '0', '--data', file])
    expect(await exit).toBe(1)
    expect(shown.err).toContain('cannot be written to')
  })

  it('ends when nobody reads its log any more', async () => {
    const { child, exit, client } = await sandbox(['--port', '0'])
    child.stdout?.destroy()
    await client.login()
    await client.get('/v1/player/status').catch(() => {})
    expect(await exit).toBe(0)
  })
})

describe('player-data', () => {
  it.each([
    [['sandbox', '--port', 'abc'], '--port must be a whole number from 0 to 65535'],
    [['sandbox', '--port', '65536'], '--port must be a whole number from 0 to 65535'],
    [['sandbox', '--expires-in', '0'], '--expires-in must be a whole number from 1'],
    [['sandbox', '--reply', 'foo'], '--reply must be one of bare, wrapped'],
    [['sandbox', '--errors', 'foo'], '--errors must be one of text, object'],
    [['sandbox', '--secret='], '--secret must not be empty'],
    [['sandbox', '--prot', '1'], "Unknown option '--prot'"],
    [['sandbox', '--port'], "Option '--port <value>' argument missing"],
    [['sandbox', 'here'], "Unexpected argument 'here'"],
    [['sandbx'], 'There is no such command'],
    [['constructor'], 'There is no such command'],
    [[], 'A command is missing'],
  ])('%j ends with 2 and a message', async (args, message) => {
    const { shown, exit } = run(args)
    expect(await exit).toBe(2)
    expect(shown.err).toContain(message)
    expect(shown.out).toBe('')
  })

  it.each([
    [['--version'], /^\d+[.]\d+[.]\d+\n$/],
    [['--help'], /Usage: player-data <command>.*sandbox/s],
    [['sandbox', '--help'], /Usage: player-data sandbox.*--expires-in SECONDS/s],
  ])('%j', async (args, text) => {
    const { shown, exit } = run(args)
    expect(await exit).toBe(0)
    expect(shown.out).toMatch(text)
  })
})
