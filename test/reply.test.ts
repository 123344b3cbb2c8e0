import { describe, expect, it } from 'vitest'
import { errorOf, readReply } from '../src/reply.ts'
import { json } from './fake.ts'

describe('readReply', () => {
  it('takes a bare body as it is, unknown members and all', () => {
    const reply = readReply(json({ isPayer: { value: true }, later: 1 }))
    expect([reply.ok, reply.value]).toEqual([true, { isPayer: { value: true }, later: 1 }])
  })

  it('unwraps the general format', () => {
    const reply = readReply(json({ data: { isPayer: { value: true } }, status: 'success', requestId: 7 }))
    expect([reply.ok, reply.value]).toEqual([true, { isPayer: { value: true } }])
  })

  it('leaves a body alone that merely has a member called data or status', () => {
    expect(readReply(json({ data: 1 })).value).toEqual({ data: 1 })
    expect(readReply(json({ data: 1, status: 'active' })).value).toEqual({ data: 1, status: 'active' })
  })

  it('takes a 2xx that says error for the error that it is', () => {
    expect(readReply(json({ error: { code: 1, message: 'no' }, status: 'error' })).ok).toBe(false)
  })

  it.each([400, 401, 404, 500, 503])('takes %i for an error', (status) => {
    expect(readReply(json({ error: 'no' }, status)).ok).toBe(false)
  })

  it('takes an empty success', () => {
    expect(readReply({ status: 204, headers: {}, body: '' })).toMatchObject({ ok: true, value: undefined })
  })

  it.each([
    ['by its type', { 'content-type': 'text/html; charset=utf-8' }, 'Welcome'],
    ['by its look', {}, '\n<!doctype html><title>Log in to the Wi-Fi</title>'],
    ['by its look, whatever its type says', { 'content-type': 'application/json' }, '<html>'],
  ])('refuses a web page, known %s', (_, headers, body) => {
    expect(() => readReply({ status: 200, headers: headers as Record<string, string>, body })).toThrow(
      expect.objectContaining({ code: 'protocol', status: 200, message: expect.stringContaining('web page') }),
    )
  })

  it('refuses broken JSON without quoting it', () => {
    const body = '{"accessToken":"canary-7f'
    try {
      readReply({ status: 200, headers: { 'content-type': 'application/json' }, body })
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ code: 'protocol' })
      expect(JSON.stringify([error, (error as Error).message, (error as Error).cause])).not.toContain('canary')
    }
  })

  it('lets a success in plain text through: the events endpoint may answer so', () => {
    expect(readReply({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'OK' })).toMatchObject({ ok: true, value: 'OK' })
  })
})

describe('errorOf', () => {
  it('reads the plain form', () => {
    expect(errorOf(400, { error: 'too late' })).toMatchObject({ code: 'http', status: 400, message: expect.stringContaining('too late') })
  })

  it('reads the general form with its code', () => {
    const error = errorOf(503, { error: { code: 'BUSY', message: 'later' }, status: 'error' })
    expect(error).toMatchObject({ code: 'http', status: 503, serviceCode: 'BUSY', message: expect.stringContaining('later') })
  })

  it('calls a 401 auth', () => {
    expect(errorOf(401, { error: 'Invalid authentication credentials' })).toMatchObject({ code: 'auth', status: 401 })
  })

  it.each([undefined, null, '', '<html>', 7, {}, { error: null }, []])('takes the body %j, too', (body) => {
    expect(errorOf(500, body)).toMatchObject({ code: 'http', status: 500 })
  })
})
