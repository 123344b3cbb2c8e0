// `player-data sign` as it is shipped, against the vectors; its curl command, run by a shell with a stand-in for curl.

import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { signLogin } from '../../src/cli/sign.ts'
import vectors from '../vectors/signatures.json' with { type: 'json' }

const program = fileURLToPath(new URL('../../dist/cli.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'player-data-'))
afterAll(() => rmSync(folder, { recursive: true }))

function sign(args: string[], { input = '', secret = '' } = {}) {
  const env = { ...process.env, PLAYER_DATA_SECRET: secret }
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'sign', ...args], { env, input, encoding: 'utf8' })
  return { status, out: stdout, err: stderr }
}

const [example] = vectors.vectors as [(typeof vectors.vectors)[number]]
const flagsOf = ({ apiKey, deviceId, timestamp }: typeof example) => [
  `--api-key=${apiKey}`,
  `--device-id=${deviceId}`,
  `--timestamp=${timestamp}`,
]
const whole = ['--api-key', 'k', '--device-id', 'd']

describe('player-data sign', () => {
  it.each(vectors.vectors)('vector: $name', async ({ secret, signedString, signature, ...login }) => {
    expect(await signLogin(secret, login, 'http://x')).toMatchObject({ ...login, signedString, signature })
  })

  it.each(vectors.vectors.filter(({ name }) => /example|pipes|emoji|spaces/.test(name)))('vector as a command: $name', (vector) => {
    const { secret, signedString, signature } = vector
    const shown = sign([...flagsOf(vector), '--json'], { secret })
    expect(shown).toMatchObject({ status: 0, err: '' })
    expect(JSON.parse(shown.out)).toMatchObject({ signedString, signature })
  })

  it.each([
    ['piped', 'dev-secret'],
    ['piped with a line end', 'dev-secret\n'],
    ['piped with a line end of Windows', 'dev-secret\r\n'],
  ])('takes the secret %s, and prints string, signature and curl', (_, input) => {
    const { status, out } = sign(flagsOf(example), { input })
    expect(status).toBe(0)
    expect(out).toContain(`Signed string  ${example.signedString}\nSignature      ${example.signature}\n`)
    expect(out).toContain(`curl -X POST 'http://127.0.0.1:4010/auth/login'`)
  })

  it('signs now where no time is given', () => {
    const { timestamp } = JSON.parse(sign([...whole, '--json'], { secret: 's' }).out)
    expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(20_000)
  })

  it('prints a curl command that a shell reads as it is meant, without the secret', () => {
    const secret = 'canary-secret-4711'
    const { out } = sign(['--api-key', `k'"$(id)`, '--device-id', 'd`\\ e', '--base-url', 'https://api.example.com/x/', '--json'], {
      secret,
    })
    expect(out).not.toContain(secret)
    const { curl, signature } = JSON.parse(out)
    const stand = join(folder, 'curl')
    writeFileSync(stand, '#!/bin/sh\nfor each in "$@"; do printf "%s\\n" "$each"; done\n')
    chmodSync(stand, 0o755)
    const words = execFileSync('sh', ['-c', curl], { env: { PATH: `${folder}:/usr/bin:/bin` }, encoding: 'utf8' }).split('\n')
    expect(words.slice(0, 6)).toEqual([
      ...['-X', 'POST', 'https://api.example.com/x/auth/login', '-H', 'Content-Type: application/json', '-d'],
    ])
    expect(JSON.parse(words[6] ?? '')).toMatchObject({ apiKey: `k'"$(id)`, deviceId: 'd`\\ e', signature })
  })

  it.each([
    [[...whole, '--secret', 'canary-4711'], '--secret is not taken here, because arguments can be read by others'],
    [[...whole, '--secret=canary-4711'], 'Set the environment variable PLAYER_DATA_SECRET, or pipe the secret'],
    [[...whole, 'canary-4711'], 'There is an argument without a flag'],
    [whole, 'There is no secret. Set the environment variable PLAYER_DATA_SECRET'],
    [['--api-key', 'k'], '--api-key and --device-id are needed'],
    [['--api-key=', '--device-id=d'], '--api-key must not be empty'],
    [[...whole, '--timestamp', '2026-13-01T12:00:00Z'], '--timestamp must be a time in UTC of the form'],
    [[...whole, '--timestamp', '2026-03-01T12:00:00.000Z'], '--timestamp must be a time in UTC of the form'],
    [[...whole, '--base-url', 'localhost:4010'], '--base-url must be the address in front of /auth/login'],
    [[...whole, '--base-url', 'https://me:canary-4711@x'], '--base-url must not hold a user name or password'],
  ])('%j ends with 2 and a message', (args, message) => {
    const { status, out, err } = sign(args)
    expect([status, out]).toEqual([2, ''])
    expect(err).toContain(message)
    expect(err).not.toContain('canary')
  })

  it('refuses a standard input that cannot be a secret', () => {
    expect(sign(whole, { input: 'x'.repeat(70_000) })).toMatchObject({ status: 2, err: expect.stringContaining('too long for a secret') })
  })

  it('is in the list of commands', () => {
    expect(execFileSync(process.execPath, [program, '--help'], { encoding: 'utf8' })).toMatch(/^ {2}sign /m)
    expect(readFileSync(program, 'utf8').startsWith('#!')).toBe(true)
  })
})
