// The five operations of the contract, from a request to an outcome, without any HTTP object.
//
// Where the service does not say what is checked first: who is asking comes before what is asked (401, then missing headers 400, then headers
// of somebody else 403, then the body), and a login's signature before its timestamp, so that a 400 about the time tells nothing to
// a caller without the secret.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { components } from '../../generated/openapi.ts'
import type { Operation, Problem } from '../contract/validator.ts'
import type { Ledger, PlayerEvent } from './ledger.ts'
import { createPlayer, type Player } from './player.ts'
import { INVALID_CREDENTIALS, type Outcome, TIMESTAMP_OUTSIDE_WINDOW } from './reply.ts'
import type { Settings } from './settings.ts'
import type { Tokens } from './tokens.ts'

type Schemas = components['schemas']

export interface Call {
  operation: Operation
  /** Number of the request. */
  request: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  body: string
}

export interface Operations {
  run(call: Call): Promise<Outcome>
}

export interface OperationsDeps {
  keys: { apiKey: string; secret: string }
  seed: string
  settings: Readonly<Settings>
  now(): number
  /** By `userId`. */
  players: Map<string, Player>
  tokens: Tokens
  ledger: Ledger
  /** Makes players and tokens durable. */
  save(): void
  /** The refusal of a batch, where a fault asks for one. */
  refusal(events: PlayerEvent[]): Outcome | undefined
}

const TOLERANCE_MS = 5 * 60_000

export function createOperations(deps: OperationsDeps): Operations {
  const { keys, seed, settings, now, players, tokens, ledger, save, refusal } = deps

  const open: Record<string, (body: unknown) => Promise<Outcome>> = {
    async authLogin(body) {
      const { apiKey, deviceId, timestamp, signature } = body as Schemas['LoginRequest']
      const expected = createHmac('sha256', keys.secret).update(`${apiKey}|${deviceId}|${timestamp}`, 'utf8').digest('base64')
      const proofs = [isSame(apiKey, keys.apiKey), isSame(signature, expected)] // Both, always, so that time tells nothing.
      if (proofs.includes(false)) return unauthorized()
      const skewMs = Math.abs(Date.parse(timestamp) - now())
      if (!(skewMs <= TOLERANCE_MS)) return { status: 400, message: TIMESTAMP_OUTSIDE_WINDOW } // NaN too: there is no 13th month.

      const made = createPlayer({ seed, apiKey, deviceId })
      const player = players.get(made.userId) ?? made
      players.set(player.userId, player)
      const pair = await tokens.issue(player)
      save()
      const data = { ...pair, tokenType: 'Bearer', expiresIn: settings.expiresIn, ...player }
      return { status: 200, data, player: player.userId }
    },

    async authRefresh(body) {
      const { refreshToken } = body as Schemas['RefreshRequest']
      const player = players.get(tokens.redeem(refreshToken) ?? '')
      if (!player) return unauthorized()
      const fresh = settings.rotateRefresh ? await tokens.issue(player) : { accessToken: await tokens.renew(player) }
      save()
      return { status: 200, data: { ...fresh, tokenType: 'Bearer', expiresIn: settings.expiresIn }, player: player.userId }
    },
  }

  const guarded: Record<string, (player: Player, body: unknown, request: number) => Outcome> = {
    getPlayerStatus: ({ playerConfig }) => ({ status: 200, data: playerConfig.playerStatus }),
    getPlayerStoreConfig: ({ playerConfig }) => ({ status: 200, data: playerConfig.storeConfig }),
    sendEvents({ userId }, body, request) {
      const events = body as PlayerEvent[]
      const refused = refusal(events)
      if (refused) return refused
      ledger.add({ player: userId, receivedAt: now(), request, events })
      return { status: settings.eventsStatus, events: events.length }
    },
  }

  return {
    async run({ operation, request, headers, body }) {
      if (!operation.bearer) {
        const checked = operation.request({ headers, body })
        return refuse(checked.problems) ?? required(open, operation.id)(checked.body)
      }
      const bearer = /^Bearer +([^ ]+)$/i.exec(headers.authorization ?? '')?.[1]
      const player = players.get((bearer && (await tokens.verify(bearer))) || '')
      if (!player) return unauthorized()

      const checked = operation.request({ headers, body })
      const missing = checked.problems.filter(({ part }) => part === 'header')
      const outcome =
        refuse(missing) ??
        checkOwner(operation, player, headers) ??
        refuse(checked.problems) ??
        required(guarded, operation.id)(player, checked.body, request)
      return { ...outcome, player: player.userId }
    },
  }
}

/** The identifiers in the headers must be the token's own. */
function checkOwner(operation: Operation, player: Player, headers: Call['headers']): Outcome | undefined {
  const own: Record<string, string> = { 'x-tenant-id': player.tenantId, 'x-game-id': player.gameId, 'x-player-id': player.userId }
  const foreign = operation.headers.find((name) => headers[name.toLowerCase()] !== own[name.toLowerCase()])
  return foreign === undefined ? undefined : { status: 403, message: `Header ${foreign} does not belong to this access token` }
}

function refuse(problems: Problem[]): Outcome | undefined {
  const [first] = problems
  if (!first) return undefined
  return { status: first.part === 'content-type' ? 415 : 400, message: `Bad request: ${problems.map(({ message }) => message).join('; ')}` }
}

/** One wording for every case, as the service's own. */
const unauthorized = (): Outcome => ({ status: 401, message: INVALID_CREDENTIALS })

/** Digests have one length, so that comparing takes the same time whatever was sent. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function required<Value>(table: Record<string, Value>, id: string): Value {
  const value = table[id]
  if (value === undefined) throw new Error(`The contract has an operation that the sandbox lacks: ${id}.`)
  return value
}
