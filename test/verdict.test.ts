import { describe, expect, it } from 'vitest'
import { retryAfterMs } from '../src/retry.ts'
import { judge, type Verdict } from '../src/verdict.ts'

const NOW = Date.UTC(2026, 2, 1, 12)
const reply = (status: number, body = '', headers: Record<string, string> = {}) => judge({ status, body, headers }, NOW)

/** The reply table of the events endpoint, every status. */
const kindOf = (status: number): Verdict['kind'] => {
  if (status < 300) return 'accepted'
  if (status === 413) return 'too-large'
  if (status === 400 || status === 422) return 'refused'
  if ([408, 425, 429].includes(status) || status >= 500) return 'later'
  return 'kept'
}

describe('judge', () => {
  it.each(Array.from({ length: 400 }, (_, at) => at + 200))('%i', (status) => {
    expect(reply(status).kind).toBe(kindOf(status))
  })

  it('takes no reply for later', () => expect(judge(undefined, NOW)).toEqual({ kind: 'later' }))

  it.each([
    ['nothing', '', {}],
    ['text', 'OK', { 'content-type': 'text/plain' }],
    ['JSON', '{"accepted":3}', { 'content-type': 'application/json' }],
    ['wrapped JSON', '{"data":null,"status":"success"}', {}],
    ['a list', '[]', {}],
    ['null', 'null', {}],
  ])('takes a success with %s', (_, body, headers) => expect(reply(200, body, headers).kind).toBe('accepted'))

  it.each([
    ['HTML by its type', 'hello', { 'content-type': 'text/html; charset=utf-8' }],
    ['HTML by its look', ' <!doctype html>', {}],
    ['an error in the general form', '{"error":{"code":1,"message":"no"},"status":"error"}', {}],
  ])('takes a success with %s for none', (_, body, headers) => expect(reply(200, body, headers).kind).toBe('later'))

  it('hands on what the service asked to wait', () => {
    expect(reply(429, '', { 'retry-after': '7' })).toEqual({ kind: 'later', waitMs: 7000 })
    expect(reply(503, '', { 'retry-after': 'Sun, 01 Mar 2026 12:01:00 GMT' })).toEqual({ kind: 'later', waitMs: 60_000 })
    expect(reply(503, '', { 'retry-after': 'junk' })).toEqual({ kind: 'later' })
  })
})

describe('retryAfterMs', () => {
  it.each([
    ['120', 120_000],
    [' 5 ', 5000],
    ['999999999', 3_600_000],
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    ['Sunday, 01-Mar-26 12:00:30 GMT', 30_000],
    ['Sun, 01 Mar 2026 18:00:00 GMT', 3_600_000],
  ])('%j is %i', (header, ms) => expect(retryAfterMs(header, NOW)).toBe(ms))

  it.each([undefined, '', '0', '-5', 'soon', '1.5', '5s', 'NaN', '1e9', 'Sun, 01 Mar 2026 11:00:00 GMT', 'Sun, 99 Foo 2026', '2026-03-01'])(
    '%j is nothing to wait for',
    (header) => expect(retryAfterMs(header, NOW)).toBeUndefined(),
  )
})
