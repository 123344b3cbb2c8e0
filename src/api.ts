// The typed client: openapi-fetch's manner of calling and its types, over requests and replies that are plain data, so that it runs where
// there is no fetch, no Request and no URL. It differs from the bare contract in two ways that spare every caller a case: replies arrive
// unwrapped, and the headers of the session need not be given.

import type { FetchResponse, RequestBodyOption } from 'openapi-fetch'
import type { paths } from '../generated/openapi.ts'
import type { HttpRequest, HttpResponse } from './port.ts'
import { type Reply, readReply } from './reply.ts'

/** A success without its `{ data, status: "success" }`. */
type Bare<T> = T extends { data: unknown; status: 'success' } ? never : T

type BareReplies<T> = { [Part in keyof T]: Part extends 'content' ? { [Media in keyof T[Part]]: Bare<T[Part][Media]> } : T[Part] }

type Operation<T> = T extends { responses: infer Replies }
  ? Omit<T, 'responses'> & { responses: { [Status in keyof Replies]: BareReplies<Replies[Status]> } }
  : never

type PathsWith<Method extends string> = {
  [Path in keyof paths]: paths[Path] extends { [M in Method]: { responses: unknown } } ? Path : never
}[keyof paths]

type Init<T> = RequestBodyOption<T> & { headers?: Record<string, string> }

/** A body that the contract asks for cannot be left out. */
type InitArguments<T> = Record<never, never> extends Init<T> ? [init?: Init<T>] : [init: Init<T>]

/** What openapi-fetch resolves with, the response as plain data. */
type Result<T> = T extends { response: unknown } ? Omit<T, 'response'> & { response: ApiResponse } : never

/** Header names in lower case. */
export type ApiResponse = Pick<Reply, 'ok' | 'status' | 'headers'>

type Call<Method extends 'get' | 'post'> = <Path extends PathsWith<Method>>(
  path: Path,
  ...init: InitArguments<paths[Path][Method]>
) => Promise<Result<FetchResponse<Operation<paths[Path][Method]>, object, 'application/json'>>>

/** Any call of the contract: `api.GET('/v1/player/status')`. Resolves with `data` or `error`, and rejects when no reply arrived. */
export interface Api {
  /** A reading call. Headers of the session need not be given. */
  GET: Call<'get'>
  /** A call with a body: `api.POST('/v1/events', { body })`. */
  POST: Call<'post'>
}

/** `send` carries each request: it authorises, measures, retries, or just sends. */
export function createApi(baseUrl: string, timeoutMs: number, send: (request: HttpRequest) => Promise<HttpResponse>): Api {
  const calls =
    (method: string) =>
    async (path: string, init: { headers?: Record<string, string>; body?: unknown } = {}) => {
      const { headers = {}, body } = init
      const request: HttpRequest = { method, url: baseUrl + path, headers, timeoutMs }
      if (body !== undefined) request.body = JSON.stringify(body)
      const response = readReply(await send(request))
      return { [response.ok ? 'data' : 'error']: response.value, response }
    }
  return { GET: calls('GET'), POST: calls('POST') } as unknown as Api
}
