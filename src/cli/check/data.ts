// Statements about the three data endpoints: their replies, and the headers without which they refuse.

import { fail, pass, type Statement, skipped, type Topic } from './finding.ts'
import { hold } from './login.ts'
import type { DataPath, PlayerPath } from './visit.ts'
import { isRefusal, isSuccess } from './wire.ts'

const HEADERS = { authorization: 'Authorization', tenant: 'X-Tenant-ID', game: 'X-Game-Id', player: 'X-Player-Id' } as const
type Header = keyof typeof HEADERS

const replies = (id: string, path: PlayerPath, what: string): Statement => ({
  id,
  topic: 'Player data',
  title: `GET ${path} answers with the ${what}`,
  section: `Endpoints: GET ${path}; Resources: ${what}`,
  fix: `Answer 200 with all members of ${what} in openapi.yaml, bare or as { data, status: "success" }.`,
  async check(visit) {
    const lacking = await visit.lacking(path)
    if (lacking) return skipped(lacking)
    const reply = await visit.plain(path)
    return isSuccess(reply) ? hold(visit, reply, 'GET', path) : fail(visit.describe(reply))
  },
})

const needs = (id: string, topic: Topic, path: DataPath, header: Header): Statement => ({
  id: `${id}-needs-${header}`,
  topic,
  title: `${path} without ${HEADERS[header]} is refused`,
  section: `Authentication: use of tokens; Endpoints: ${path}`,
  fix: `Answer ${header === 'authorization' ? '401' : '400'} where the header ${HEADERS[header]} is missing.`,
  async check(visit) {
    const lacking = await visit.lacking(path)
    if (lacking) return skipped(lacking)
    if (!(await visit.works(path))) return skipped(`${path} does not work with all its headers`)
    const change = { without: HEADERS[header].toLowerCase() }
    const reply = path === '/v1/events' ? await visit.send([visit.event('Ad_Impression')], change) : await visit.get(path, change)
    return isRefusal(reply) ? pass(visit.describe(reply)) : fail(visit.describe(reply))
  },
})

const playerHeaders: Header[] = ['authorization', 'tenant', 'game', 'player']

export const dataStatements: Statement[] = [
  replies('status', '/v1/player/status', 'PlayerStatus'),
  ...playerHeaders.map((header) => needs('status', 'Player data', '/v1/player/status', header)),
  replies('store', '/v1/player/store_configs', 'StoreConfig'),
  ...playerHeaders.map((header) => needs('store', 'Player data', '/v1/player/store_configs', header)),
  {
    id: 'events',
    topic: 'Events',
    title: 'POST /v1/events takes several events in one request',
    section: 'Endpoints: POST /v1/events; Events',
    fix: 'Answer any 2xx to a JSON array of events, each with eventType, timestamp, payload and metadata.',
    async check(visit) {
      const lacking = await visit.lacking('/v1/events')
      if (lacking) return skipped(lacking)
      const reply = await visit.plain('/v1/events')
      return isSuccess(reply) ? pass(visit.describe(reply)) : fail(visit.describe(reply))
    },
  },
  ...(['authorization', 'tenant'] as const).map((header) => needs('events', 'Events', '/v1/events', header)),
]
