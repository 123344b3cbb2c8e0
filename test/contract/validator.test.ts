import { describe, expect, it } from 'vitest'
import contract from '../../generated/openapi.json' with { type: 'json' }
import { createValidator, type Operation } from '../../src/contract/validator.ts'

const json = { 'content-type': 'application/json' }
const validator = createValidator()

function operation(method: string, path: string): Operation {
  const found = validator.find(method, path)
  if (!found) throw new Error(`no ${method} ${path}`)
  return found
}

const login = operation('POST', '/auth/login')
const events = operation('POST', '/v1/events')
const status = operation('GET', '/v1/player/status')
const messages = (problems: { message: string }[]) => problems.map(({ message }) => message)

describe('operations', () => {
  it('are those of the contract', () => {
    expect(validator.operations.map(({ id, bearer, headers }) => [id, bearer, headers])).toEqual([
      ['authLogin', false, []],
      ['authRefresh', false, []],
      ['getPlayerStatus', true, ['X-Tenant-ID', 'X-Game-Id', 'X-Player-Id']],
      ['getPlayerStoreConfig', true, ['X-Tenant-ID', 'X-Game-Id', 'X-Player-Id']],
      ['sendEvents', true, ['X-Tenant-ID']],
    ])
    expect(validator.find('GET', '/auth/login')).toBeUndefined()
    expect(validator.find('POST', '/auth/login/')).toBeUndefined()
  })
})

describe('examples of the contract', () => {
  const { examples } = contract.components
  const names = (node: { examples?: object } | undefined) =>
    Object.values(node?.examples ?? {}).map(({ $ref }: { $ref: string }) => $ref.split('/').at(-1) as keyof typeof examples)

  it('pass, requests and replies', () => {
    let checked = 0
    for (const [path, item] of Object.entries(contract.paths)) {
      for (const [method, node] of Object.entries(item)) {
        const { requestBody, responses } = node as { requestBody?: Content; responses: Record<string, Content & { $ref?: string }> }
        const own = operation(method.toUpperCase(), path)
        const headers = { ...json, 'x-tenant-id': 't', 'x-game-id': 'g', 'x-player-id': 'p' }
        for (const name of names(requestBody?.content?.['application/json'])) {
          expect(own.request({ headers, body: JSON.stringify(examples[name].value) }).problems, name).toEqual([])
          checked++
        }
        for (const [code, response] of Object.entries(responses)) {
          const shared = contract.components.responses as Record<string, Content>
          const { content } = response.$ref ? (shared[response.$ref.split('/').at(-1) ?? ''] as Content) : response
          for (const name of names(content?.['application/json'])) {
            const reply = { status: code === 'default' ? 503 : Number(code), headers: json, body: JSON.stringify(examples[name].value) }
            expect(own.reply(reply), name).toEqual([])
            checked++
          }
        }
      }
    }
    expect(checked).toBeGreaterThan(20)
  })
})

interface Content {
  content?: { 'application/json'?: { examples?: object } }
}

describe('a request', () => {
  const good = { apiKey: 'k', deviceId: 'd', timestamp: '2026-03-01T12:00:00Z', signature: 's' }

  it('is parsed when it is good, unknown members included', () => {
    const body = { ...good, extra: [1] }
    expect(login.request({ headers: json, body: JSON.stringify(body) })).toEqual({ problems: [], body })
    expect(login.request({ headers: { 'content-type': 'Application/JSON; charset=utf-8' }, body: JSON.stringify(body) }).problems).toEqual(
      [],
    )
  })

  it.each([
    ['', json, 'the body is not valid JSON'],
    ['{"apiKey":', json, 'the body is not valid JSON'],
    ['[]', json, 'the body must be object'],
    [JSON.stringify({ ...good, deviceId: 7 }), json, '/deviceId must be string'],
    [JSON.stringify({ ...good, signature: undefined }), json, "the body must have required property 'signature'"],
    [JSON.stringify(good), {}, 'the content type must be application/json'],
    [JSON.stringify(good), { 'content-type': 'text/plain' }, 'the content type must be application/json'],
  ])('%s %j is refused: %s', (body, headers, message) => {
    expect(messages(login.request({ headers, body }).problems)).toEqual([message])
  })

  it('needs the header parameters, whatever the case of their names', () => {
    expect(messages(status.request({ headers: {}, body: '' }).problems)).toEqual([
      'header X-Tenant-ID is missing',
      'header X-Game-Id is missing',
      'header X-Player-Id is missing',
    ])
    expect(messages(events.request({ headers: json, body: '[]' }).problems)).toEqual(['header X-Tenant-ID is missing'])
    expect(status.request({ headers: { 'x-tenant-id': 't', 'x-game-id': 'g', 'x-player-id': 'p' }, body: '' }).problems).toEqual([])
  })

  it('with a typed event is held to its payload, with another event is not', () => {
    const headers = { ...json, 'x-tenant-id': 't' }
    const event = { timestamp: '2026-03-01T12:00:00.000Z', payload: { adId: 7 }, metadata: {} }
    const check = (eventType: string) => messages(events.request({ headers, body: JSON.stringify([{ ...event, eventType }]) }).problems)
    expect(check('Ad_Impression')).toEqual(['/0/payload/adId must be string'])
    expect(check('Level_Up')).toEqual([])
  })

  it('never has its values quoted, and stops at the first of many problems', () => {
    const canary = 'canary-5f2'
    const bodies = [`{"apiKey": ${canary}}`, JSON.stringify({ ...good, timestamp: canary }), JSON.stringify([canary])]
    for (const body of bodies) expect(JSON.stringify(login.request({ headers: json, body }))).not.toContain(canary)
    const many = JSON.stringify(Array.from({ length: 10_000 }, () => 0))
    expect(events.request({ headers: { ...json, 'x-tenant-id': 't' }, body: many }).problems).toHaveLength(1)
  })
})

describe('a reply', () => {
  const flag = { value: true, defaultValue: false, expiredAt: null }
  const check = (body: unknown, code = 200, headers: Record<string, string> = json) =>
    messages(status.reply({ status: code, headers, body: JSON.stringify(body) }))

  it('may be bare or wrapped, with unknown members', () => {
    expect(check({ isPayer: flag, more: 1 })).toEqual([])
    expect(check({ data: { isPayer: flag }, status: 'success' })).toEqual([])
  })

  it('that is mutated is caught, and the place is named', () => {
    expect(check({ isPayer: { ...flag, value: 'yes' } })[0]).toBe('/isPayer/value must be boolean')
    expect(check({ data: { isPayer: { value: true } }, status: 'success' })[0]).toMatch(/^[/]data[/]isPayer must have required property/)
    expect(check({ isPayer: flag }, 200, { 'content-type': 'text/html' })).toEqual(['the content type must be application/json'])
    expect(messages(status.reply({ status: 200, headers: json, body: '{"isPayer"' }))).toEqual(['the body is not valid JSON'])
  })

  it('is an error where the status has no entry of its own', () => {
    expect(check({ error: 'busy' }, 503)).toEqual([])
    expect(check({ error: { code: 1, message: 'busy' }, status: 'error' }, 418)).toEqual([])
    expect(check({ isPayer: flag }, 206)).not.toEqual([])
    expect(check({ error: 7 }, 401)[0]).toBe('/error must be string')
  })

  it('may carry anything where nothing is declared', () => {
    for (const code of [200, 201, 202, 204]) expect(events.reply({ status: code, headers: {}, body: 'whatever' })).toEqual([])
  })

  it('lists at most five problems, and says how many more there are', () => {
    const broken = { isPayer: {}, data: { isPayer: {} }, status: 'oops' }
    const problems = check(broken)
    expect(problems).toHaveLength(6)
    expect(problems.at(-1)).toMatch(/^and \d+ more$/)
  })
})

it('refuses a contract with a keyword that nobody checks', () => {
  const typo = structuredClone(contract) as unknown as { components: { schemas: { LoginRequest: Record<string, unknown> } } }
  typo.components.schemas.LoginRequest.requierd = ['apiKey']
  const own = createValidator(typo).find('POST', '/auth/login')
  expect(() => own?.request({ headers: json, body: '{}' })).toThrow('requierd')
})
