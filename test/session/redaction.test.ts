// No token, secret or signature leaves the runtime other than in a request to the service: not in an error, an event, stats() or the
// console, and in the storage only where it is meant to be.

import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Fault } from '../../src/sandbox/index.ts'
import { developmentSigner } from '../../src/signer.ts'
import type { Tab } from '../browser.ts'
import { start } from './start.ts'

const SECRET = 'canary-secret-3f9a'
const printed: unknown[] = []
beforeEach(() => {
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, method).mockImplementation((...args) => void printed.push(args))
})
afterEach(() => vi.restoreAllMocks())

/** Every token and signature that the tab has sent. */
function secretsOf({ requests }: Tab): string[] {
  const sent = requests.flatMap(({ headers, body = '{}' }) => {
    const { signature, refreshToken } = JSON.parse(body)
    return [headers.authorization?.replace('Bearer ', ''), signature, refreshToken]
  })
  return [SECRET, ...new Set(sent.filter((text): text is string => typeof text === 'string'))]
}

const FAULTS: [string, Fault][] = [
  ['a 401 everywhere', { kind: 'status', status: 401 }],
  ['a 400 everywhere', { kind: 'status', status: 400 }],
  ['a 500 with HTML', { kind: 'status', status: 500, body: '<h1>500</h1>', contentType: 'text/html' }],
  ['a captive portal', { kind: 'portal' }],
  ['broken JSON', { kind: 'status', status: 200, body: '{"accessToken":"eyJcanary', contentType: 'application/json' }],
  ['a dropped connection', { kind: 'drop', when: 'after' }],
  ['a reply cut in the middle', { kind: 'drop', when: 'midway' }],
  ['a reply of another shape', { kind: 'status', status: 200, body: [] }],
]

describe.each(FAULTS)('after %s', (_, fault) => {
  it('nothing secret shows', async () => {
    const { sandbox, browser } = await start({ secret: SECRET })
    const tab = browser.open({ signer: developmentSigner({ secret: SECRET }), logoutEndpoint: { method: 'POST', path: '/auth/logout' } })
    const { player } = tab
    const shown: unknown[] = []
    for (const name of ['session', 'status', 'store', 'state', 'error'] as const) player.on(name, (event) => shown.push([name, event]))
    await player.login()
    sandbox.expireAccessTokens()
    await player.fetchStatus() // a refresh, so that its token is among those looked for
    sandbox.expireAccessTokens()
    sandbox.addFault(fault)
    const settled = await Promise.allSettled([player.fetchStatus(), player.fetchStore(), player.api.GET('/v1/player/status')])
    const later = await Promise.allSettled([player.logout(), player.login()])
    player.track('Ad_Impression', { adId: 'a' })
    tab.hide()
    shown.push(...settled, ...later, player.stats(), player.session, printed, browser.journal)

    const secrets = secretsOf(tab)
    expect(secrets.length).toBeGreaterThan(4)
    const text =
      inspect(shown, { depth: 20, showHidden: true, maxStringLength: null }) + JSON.stringify(shown) + shown.flatMap(messagesOf).join()
    for (const secret of [...secrets, 'eyJ']) expect(text).not.toContain(secret)
  })
})

/** The messages and stacks of an error and all its causes, which JSON leaves out. */
function messagesOf(value: unknown): string[] {
  if (value instanceof Error) return [value.message, value.stack ?? '', String(value), ...messagesOf(value.cause)]
  if (Array.isArray(value)) return value.flatMap(messagesOf)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(messagesOf) : []
}

describe('the storage', () => {
  it.each(['persistent', 'memory'] as const)(
    'with tokens: %s holds no secret and no signature, and tokens only where they are meant to be',
    async (tokens) => {
      const { sandbox, browser } = await start({ secret: SECRET })
      const tab = browser.open({ signer: developmentSigner({ secret: SECRET }), tokens })
      await tab.player.login()
      sandbox.expireAccessTokens()
      await tab.player.fetchStatus()
      const keys = await browser.storage.keys('')
      const values = await browser.storage.get(keys)
      const elsewhere =
        JSON.stringify(keys) + JSON.stringify(values.filter((_, at) => !(tokens === 'persistent' && keys[at]?.endsWith('/tokens'))))
      for (const secret of [...secretsOf(tab), 'eyJ']) expect(elsewhere).not.toContain(secret)
      expect(JSON.stringify(values)).not.toContain(SECRET)
      await tab.player.logout()
      const left = JSON.stringify(await browser.storage.get(await browser.storage.keys('')))
      expect(left).not.toContain('eyJ')
    },
  )
})
