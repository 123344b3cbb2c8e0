// One request from its arrival to its reply: faults, routing, the operation, the reply held against the contract, and the entry in the log.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Operation, Validator } from '../contract/validator.ts'
import type { Applied, Fault, Faults } from './faults.ts'
import type { Operations } from './operations.ts'
import { createJson, createPortal, createReply, type Outcome, type Reply } from './reply.ts'
import type { Delivery, Incoming } from './server.ts'
import type { Settings } from './settings.ts'
import { type RequestEntry, redactPath, type Traffic } from './traffic.ts'

export interface Exchange {
  /** Never rejects. */
  handle(request: Incoming): Promise<Delivery>
  /** Ends all waiting; a request that waits has no further effect. */
  close(): void
}

export interface ExchangeDeps {
  validator: Validator
  faults: Faults
  operations: Operations
  traffic: Traffic
  settings: Readonly<Settings>
  now(): number
  /** Whether a reply that breaks the contract becomes a 500. */
  strict: boolean
  onBreach(message: string): void
  onRequest(entry: RequestEntry): void
}

export function createExchange(deps: ExchangeDeps): Exchange {
  const { validator, faults, operations, traffic, settings, now, strict, onBreach, onRequest } = deps
  const closing = new AbortController()
  const closed = new Promise<void>((resolve) => closing.signal.addEventListener('abort', () => resolve()))

  async function exchange(
    request: Incoming,
    operation: Operation | undefined,
    number: number,
    applied: Applied[],
  ): Promise<{ delivery: Delivery; outcome?: Outcome }> {
    const gone = { delivery: {} }
    for (const { fault } of applied) if (fault.kind === 'latency') await Promise.race([sleep(fault.ms, undefined, { ref: false }), closed])
    const { fault, over } = applied.find((each) => each.fault.kind !== 'latency') ?? {}
    if (fault?.kind === 'hang' && fault.when === 'before') {
      await Promise.race([over, closed])
      if (!request.isWaiting()) return gone
    }
    if (closing.signal.aborted) return gone
    const instead = fault && insteadOf(fault)
    if (instead) return { delivery: instead }

    const outcome = await carryOut(request, operation, number)
    const reply = hold(operation, createReply(outcome, settings))
    if (fault?.kind === 'hang' && fault.when === 'after') await Promise.race([over, closed])
    if (fault?.kind === 'drop') return { delivery: fault.when === 'midway' ? { reply, cut: true } : {}, outcome }
    return { delivery: { reply: fault?.kind === 'status' ? statusReply(fault) : reply }, outcome }
  }

  /** What a fault delivers without the request being carried out. */
  function insteadOf(fault: Fault): Delivery | undefined {
    if (fault.kind === 'portal') return { reply: createPortal() }
    if (fault.kind === 'too-large') return { reply: createReply(tooLarge(fault.bytes), settings) }
    if (fault.kind === 'drop' && fault.when === 'before') return {}
    if (fault.kind === 'status' && fault.when !== 'after') return { reply: statusReply(fault) }
    return undefined
  }

  function statusReply({ status, headers = {}, body, contentType = 'application/json' }: Extract<Fault, { kind: 'status' }>): Reply {
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    if (typeof body === 'string') return { status, headers: { 'content-type': contentType, ...lower }, body }
    if (body !== undefined) return createJson(status, body, { 'content-type': contentType, ...lower })
    if (status < 400) return { status, headers: lower, body: '' }
    return createReply({ status, message: 'The sandbox was told to answer so', headers: lower }, settings)
  }

  async function carryOut(request: Incoming, operation: Operation | undefined, number: number): Promise<Outcome> {
    const { method, path, headers } = request
    if (method === 'OPTIONS') return { status: 204 }
    const here = validator.operations.filter((each) => each.path === path).map((each) => each.method)
    if (here.length === 0) {
      const known = validator.operations.map((each) => `${each.method} ${each.path}`)
      return { status: 404, message: `There is nothing here. The service has ${known.join(', ')}` }
    }
    if (!operation) {
      const allow = [...here, ...(here.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
      return { status: 405, message: `Allowed here: ${allow}`, headers: { allow } }
    }
    if (!request.body) return tooLarge(settings.maxBodyBytes)
    if ((headers['content-encoding'] ?? 'identity') !== 'identity')
      return { status: 415, message: 'Send the body without a content encoding' }
    let body: string
    try {
      body = new TextDecoder('utf-8', { fatal: true }).decode(request.body)
    } catch {
      return { status: 400, message: 'Bad request: the body is not valid UTF-8' }
    }
    return operations.run({ operation, request: number, headers, body })
  }

  function hold(operation: Operation | undefined, reply: Reply): Reply {
    const problems = operation?.reply(reply) ?? []
    if (!operation || problems.length === 0) return reply
    const message = `${operation.method} ${operation.path} ${reply.status}: ${problems.map((each) => each.message).join('; ')}`
    onBreach(message)
    return strict ? createReply({ status: 500, message: `This reply would have broken the contract. ${message}` }, settings) : reply
  }

  return {
    async handle(request) {
      const { method, path, bytes } = request
      const at = now()
      const startedAt = performance.now()
      const operation = validator.find(method === 'HEAD' ? 'GET' : method, path)
      const number = traffic.arrive(operation?.id)
      const applied = faults.take({ method, path, bytes })

      let result: { delivery: Delivery; outcome?: Outcome }
      try {
        result = await exchange(request, operation, number, applied)
      } catch (error) {
        const outcome = { status: 500, message: `The sandbox failed: ${error instanceof Error ? error.message : 'unknown'}` }
        result = { delivery: { reply: createReply(outcome, settings) }, outcome }
      }
      const { delivery, outcome } = result
      const entry: RequestEntry = {
        number,
        at,
        method,
        path: operation ? path : redactPath(path),
        ...(operation && { operation: operation.id }),
        status: delivery.reply?.status ?? 0,
        durationMs: performance.now() - startedAt,
        ...(outcome?.player !== undefined && { player: outcome.player }),
        ...(outcome?.events !== undefined && { events: outcome.events }),
        ...(applied.length > 0 && { faults: applied.map(({ fault }) => fault.kind) }),
        ...(outcome?.message !== undefined && { error: outcome.message }),
      }
      traffic.leave(entry)
      onRequest(entry)
      return delivery
    },
    close: () => closing.abort(),
  }
}

const tooLarge = (bytes: number): Outcome => ({ status: 413, message: `The body is larger than ${bytes} bytes` })
