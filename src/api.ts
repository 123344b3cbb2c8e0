// The typed client: openapi-fetch over the contract's types, and over requests and replies that are plain data.
// It differs from the bare contract in two ways that spare every caller a case: replies arrive unwrapped, and the headers of the
// session need not be given.

import createClient, { type Client } from 'openapi-fetch'
import type { paths } from '../generated/openapi.ts'
import { Request, Response, toHttpRequest } from './fetch.ts'
import type { HttpRequest, HttpResponse } from './port.ts'
import { readReply } from './reply.ts'

/** A success without its `{ data, status: "success" }`. */
type Bare<T> = T extends { data: unknown; status: 'success' } ? never : T

type BareReplies<T> = { [Part in keyof T]: Part extends 'content' ? { [Media in keyof T[Part]]: Bare<T[Part][Media]> } : T[Part] }

type Operation<T> = T extends { parameters: infer Parameters; responses: infer Replies }
  ? Omit<T, 'parameters' | 'responses'> & {
      parameters: Omit<Parameters, 'header'> & { header?: Record<string, string> }
      responses: { [Status in keyof Replies]: BareReplies<Replies[Status]> }
    }
  : T

type ApiPaths = { [Path in keyof paths]: { [Method in keyof paths[Path]]: Operation<paths[Path][Method]> } }

/** Any call of the contract: `api.GET('/v1/player/status')`. Resolves with `data` or `error`, and rejects when no reply arrived. */
export type Api = Client<ApiPaths>

/** `send` carries each request: it authorises, measures, retries, or just sends. */
export function createApi(baseUrl: string, timeoutMs: number, send: (request: HttpRequest) => Promise<HttpResponse>): Api {
  const fetch = async (request: Request) => new Response(readReply(await send(toHttpRequest(request, timeoutMs))))
  // The shims stand in for the host's own classes, of which openapi-fetch uses no more than they have.
  return createClient<ApiPaths>({ baseUrl, fetch, Request } as never)
}
