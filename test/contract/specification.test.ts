// Every path, field and header of the service's interface specification is in the contract, as the specification has it; and no path
// that it does not state.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const contract = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'))
const { schemas, parameters } = contract.components

const OPERATIONS = [
  { path: '/auth/login', method: 'post', bearer: false, headers: [], body: 'LoginRequest', errors: ['400', '401'] },
  { path: '/auth/refresh', method: 'post', bearer: false, headers: [], body: 'RefreshRequest', errors: ['401'] },
  { path: '/v1/player/status', method: 'get', bearer: true, headers: ['X-Tenant-ID', 'X-Game-Id', 'X-Player-Id'], errors: ['401'] },
  { path: '/v1/player/store_configs', method: 'get', bearer: true, headers: ['X-Tenant-ID', 'X-Game-Id', 'X-Player-Id'], errors: ['401'] },
  { path: '/v1/events', method: 'post', bearer: true, headers: ['X-Tenant-ID'], body: 'PlayerEvent', errors: ['401'] },
]

/** Schema, member, type, and whether it must be there. `any` is a type that the specification does not show. */
const MEMBERS = `
  LoginRequest.apiKey string required
  LoginRequest.deviceId string required
  LoginRequest.timestamp string required
  LoginRequest.signature string required
  LoginResponse.accessToken string required
  LoginResponse.refreshToken string required
  LoginResponse.tokenType string required
  LoginResponse.expiresIn number required
  LoginResponse.userId string required
  LoginResponse.deviceId string required
  LoginResponse.gameId string required
  LoginResponse.tenantId string required
  LoginResponse.playerConfig PlayerConfig required
  RefreshRequest.refreshToken string required
  PlayerConfig.playerStatus PlayerStatus required
  PlayerConfig.storeConfig StoreConfig required
  PlayerStatus.isPayer StatusFlag required
  StatusFlag.value boolean required
  StatusFlag.defaultValue boolean required
  StatusFlag.expiredAt any required
  StoreConfig.activeSkus array required
  StoreConfig.lastUpdatedTimestamp integer required
  StoreConfig.userSpecificPromoId any required
  StoreConfig.fallbackConfig any required
  Sku.skuId string required
  Sku.name string required
  Sku.description string required
  Sku.actualPrice number required
  Sku.offerPrice number required
  Sku.currency string required
  Sku.assets array required
  Sku.active boolean required
  PlayerEvent.eventType string required
  PlayerEvent.timestamp string required
  PlayerEvent.payload object required
  PlayerEvent.metadata EventMetadata required
  AdImpressionPayload.userId string optional
  AdImpressionPayload.sessionId string optional
  AdImpressionPayload.adId string optional
  AdImpressionPayload.campaignId string optional
  EventMetadata.deviceType string optional
  EventMetadata.osName string optional
  EventMetadata.osVersion string optional
  PlainError.error string required
  GeneralError.error object required
  GeneralError.status string required`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(' ') as [string, string, string])

/** What the specification does not show, in words that a reader of the docs finds in the contract. */
const UNSPECIFIED = [
  ...['`assets`', '`expiredAt`', '`userSpecificPromoId`', '`fallbackConfig`', 'The body of a successful `POST /auth/refresh`'],
  ...['The status code and the body of a successful `POST /v1/events`', 'Errors of endpoints other than login', 'Values of `error.code`'],
  ...[
    'Event types other than `Ad_Impression`',
    'The lifetime of a refresh token',
    'State transitions',
    'Logout',
    'predictions and segments',
  ],
  ...['webhooks', 'Rate limits', 'Maximum events in one request, and maximum body size', 'Versioning policy and deprecation rules'],
]

const nameOf = ({ $ref = '' }: { $ref?: string } = {}) => $ref.split('/').pop() ?? ''
const section = (title: string) => contract.info.description.split(`# ${title}\n`)[1]?.split('\n# ')[0] ?? ''

describe('paths', () => {
  it('are those of the specification and no others', () => {
    const stated = OPERATIONS.map(({ path, method }) => `${method} ${path}`)
    const found = Object.entries(contract.paths).flatMap(([path, item]) => Object.keys(item as object).map((method) => `${method} ${path}`))
    expect(found.sort()).toEqual(stated.sort())
  })

  it.each(OPERATIONS)('$method $path has its headers, body and errors', ({ path, method, bearer, headers, body, errors }) => {
    const operation = contract.paths[path][method]
    expect(operation.security ?? contract.security).toEqual(bearer ? [{ bearerAuth: [] }] : [])
    expect((operation.parameters ?? []).map((ref: { $ref: string }) => parameters[nameOf(ref)].name)).toEqual(headers)
    const schema = operation.requestBody?.content['application/json'].schema
    expect(nameOf(schema?.items ?? schema)).toBe(body ?? '')
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining([...errors, 'default']))
    expect(operation).toMatchObject({
      operationId: expect.any(String),
      summary: expect.any(String),
      description: expect.any(String),
      tags: [expect.any(String)],
    })
  })

  it('takes an array of events', () => {
    expect(contract.paths['/v1/events'].post.requestBody.content['application/json'].schema.type).toBe('array')
  })

  it.each(OPERATIONS)('$method $path has named examples for its request and each reply with a body', ({ path, method }) => {
    const operation = contract.paths[path][method]
    const replies = Object.values(operation.responses).map((reply) => {
      const name = nameOf(reply as { $ref?: string })
      return name ? contract.components.responses[name] : reply
    })
    const bodies = [operation.requestBody, ...replies].flatMap((part) => (part?.content ? [part.content['application/json']] : []))
    expect(bodies.length).toBeGreaterThan(0)
    for (const { examples } of bodies) expect(Object.keys(examples ?? {}).length).toBeGreaterThan(0)
  })

  it('links to operations that exist', () => {
    const ids = Object.values(contract.paths).flatMap((item) => Object.values(item as object).map((operation) => operation.operationId))
    const links = Object.values(contract.paths['/auth/login'].post.responses['200'].links) as { operationId: string }[]
    expect(links.length).toBe(4)
    for (const { operationId } of links) expect(ids).toContain(operationId)
  })
})

describe('members', () => {
  it.each(MEMBERS)('%s is %s, %s', (name, type, presence) => {
    const [schema = '', member = ''] = name.split('.')
    const property = schemas[schema].properties[member]
    expect(nameOf(property) || property.type || 'any').toBe(type)
    expect((schemas[schema].required ?? []).includes(member) ? 'required' : 'optional').toBe(presence)
  })

  it('are these and no others', () => {
    const envelopes = Object.keys(schemas).filter((name) => name.endsWith('Envelope'))
    const found = Object.entries(schemas as Record<string, { properties?: object }>)
      .filter(([name]) => !envelopes.includes(name))
      .flatMap(([name, { properties = {} }]) => Object.keys(properties).map((member) => `${name}.${member}`))
    expect(found.sort()).toEqual(MEMBERS.map(([name]) => name).sort())
  })

  it.each(['Login', 'PlayerStatus', 'StoreConfig'])('%s comes bare or wrapped', (name) => {
    const bare = name === 'Login' ? 'LoginResponse' : name
    expect(schemas[`${name}Result`].oneOf.map(nameOf)).toEqual([bare, `${name}Envelope`])
    expect(schemas[`${name}Envelope`]).toMatchObject({ required: ['data', 'status'], properties: { status: { const: 'success' } } })
    expect(nameOf(schemas[`${name}Envelope`].properties.data)).toBe(bare)
  })

  it('has both error forms', () => {
    expect(schemas.ErrorBody.oneOf.map(nameOf)).toEqual(['PlainError', 'GeneralError'])
    expect(schemas.GeneralError.properties.error.required).toEqual(['code', 'message'])
  })
})

describe('words', () => {
  it.each(UNSPECIFIED)('says that this is not specified: %s', (words) => {
    expect(section('What is not specified')).toContain(words)
  })

  it('marks what is inferred', () => {
    expect(section('What is inferred')).toContain('`X-Player-Id` takes the `userId`')
    expect(parameters.PlayerId.description).toMatch(/inferred/i)
  })

  it('states the signing rules, the limits, the versions, and that requests emit no events', () => {
    expect(section('Signing')).toContain('apiKey|deviceId|timestamp')
    expect(section('Signing')).toContain('within 5 minutes of the server')
    expect(section('Limits')).toContain('±5 minutes')
    expect(section('Versioning')).toContain('`/v1/`')
    expect(section('Events and requests')).toContain('login, status and store-configuration requests emit no events visible to the client')
  })

  it('lists the operations without a path, and invents none', () => {
    expect(contract['x-undocumented-operations'].map(({ name }: { name: string }) => name)).toEqual([
      'Logout',
      'Player predictions',
      'Player segments',
    ])
  })
})
