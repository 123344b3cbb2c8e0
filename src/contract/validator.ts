// Holds requests and replies against the contract itself, so that a service, its stand-in and their tests cannot drift from it.
//
// A problem names the place and the rule that was broken, never the value found there: the value may be a token. For the same reason the
// messages of JSON.parse, which quote the text, are not passed on.
// Requests stop at the first problem, because a hostile body could otherwise cause a million; replies list all of theirs.

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import contract from '../../generated/openapi.json' with { type: 'json' }

/** What breaks the contract, and in which part of the message. */
export interface Problem {
  part: 'status' | 'content-type' | 'header' | 'body'
  message: string
}

export interface Operation {
  readonly id: string
  /** In upper case. */
  readonly method: string
  readonly path: string
  /** Whether a bearer token is needed. */
  readonly bearer: boolean
  /** Names of the header parameters, as the contract spells them. */
  readonly headers: readonly string[]
  /** Checks header parameters, content type and body, in this order. `body` is the parsed body, undefined where there is a problem. */
  request(message: { headers: Headers; body: string }): { problems: Problem[]; body?: unknown }
  /** Checks the status (its own entry, else `default`), the content type and the body. What declares no content may carry any body. */
  reply(message: { status: number; headers: Headers; body: string }): Problem[]
}

export interface Validator {
  readonly operations: readonly Operation[]
  /** The operation of a method (in upper case) and an exact path. The contract has no path templates. */
  find(method: string, path: string): Operation | undefined
}

/** Header names in lower case. */
type Headers = Readonly<Record<string, string | undefined>>

type Node = { readonly [member: string]: unknown }

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const JSON_TYPE = 'application/json'
const MAX_MESSAGES = 5

/** Compiling takes longer than a sandbox takes to start, and tests start hundreds. */
const validators = new WeakMap<object, Validator>()

/**
 * The validator of a document, which must not be changed afterwards: the same document gets the same validator.
 * Schemas are compiled when they are first needed; one with a keyword that nobody would check throws then.
 */
export function createValidator(document: object = contract): Validator {
  const known = validators.get(document)
  if (known) return known
  const validator = compile(document as Node)
  validators.set(document, validator)
  return validator
}

function compile(root: Node): Validator {
  const firstError = createAjv(root, false)
  const allErrors = createAjv(root, true)

  /** Follows local references; returns the node and the pointer under which it really stands. */
  function resolve(pointer: string): { node: Node; pointer: string } {
    let node: unknown = root
    for (const part of pointer.split('/').slice(1)) node = (node as Node)[part.replaceAll('~1', '/').replaceAll('~0', '~')]
    const { $ref } = node as { $ref?: string }
    return $ref === undefined ? { node: node as Node, pointer } : resolve($ref)
  }

  function createOperation(method: string, path: string): Operation {
    const { node, pointer } = resolve(`#/paths/${encodePart(path)}/${method}`)
    const parameters = ((node.parameters ?? []) as Node[])
      .map((_, index) => resolve(`${pointer}/parameters/${index}`))
      .filter((parameter) => parameter.node.in === 'header')
    const { required: bodyRequired } = (node.requestBody ?? {}) as { required?: boolean }
    const bodyCheck = node.requestBody ? checkOf(firstError, `${pointer}/requestBody`) : undefined
    const security = (node.security ?? root.security ?? []) as Node[]

    return {
      id: String(node.operationId),
      method: method.toUpperCase(),
      path,
      bearer: security.length > 0,
      headers: parameters.map((parameter) => String(parameter.node.name)),

      request({ headers, body }) {
        const problems: Problem[] = []
        for (const { node: parameter, pointer: at } of parameters) {
          const name = String(parameter.name)
          const value = headers[name.toLowerCase()]
          if (value === undefined && parameter.required) problems.push({ part: 'header', message: `header ${name} is missing` })
          if (value !== undefined) problems.push(...run(firstError, `${at}/schema`, value, 'header', `header ${name}`))
        }
        if (problems.length > 0 || !bodyCheck) return { problems }
        if (body === '' && !bodyRequired) return { problems }
        return bodyCheck(headers, body)
      },

      reply({ status, headers, body }) {
        const responses = node.responses as Node
        const entry = status in responses ? String(status) : 'default'
        if (!(entry in responses)) return [{ part: 'status', message: `status ${status} is not in the contract` }]
        const response = resolve(`${pointer}/responses/${entry}`)
        return response.node.content ? checkOf(allErrors, response.pointer)(headers, body).problems : []
      },
    }
  }

  /** The check of everything under `content` there: the media type, that it parses, and the schema. */
  function checkOf(ajv: Ajv2020, pointer: string) {
    return (headers: Headers, text: string): { problems: Problem[]; body?: unknown } => {
      if (mediaType(headers) !== JSON_TYPE)
        return { problems: [{ part: 'content-type', message: `the content type must be ${JSON_TYPE}` }] }
      let body: unknown
      try {
        body = JSON.parse(text)
      } catch {
        return { problems: [{ part: 'body', message: 'the body is not valid JSON' }] }
      }
      const problems = run(ajv, `${pointer}/content/${encodePart(JSON_TYPE)}/schema`, body, 'body', 'the body')
      return problems.length > 0 ? { problems } : { problems, body }
    }
  }

  function run(ajv: Ajv2020, pointer: string, value: unknown, part: Problem['part'], whole: string): Problem[] {
    const validate = ajv.getSchema(`contract${pointer}`)
    if (!validate) throw new Error(`The contract has no schema at ${pointer}.`)
    if (validate(value)) return []
    return describeErrors(validate.errors, whole).map((message) => ({ part, message }))
  }

  const operations = Object.entries(root.paths as Record<string, Node>).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => createOperation(method, path)),
  )
  return { operations, find: (method, path) => operations.find((each) => each.method === method && each.path === path) }
}

/**
 * A validator's errors in words, at most five: the deepest first, since that alternative of a union was nearest.
 * `whole` is what to call the value itself.
 */
export function describeErrors(errors: ErrorObject[] | null | undefined, whole: string): string[] {
  const all = errors ?? []
  const causes = all.filter(({ keyword }) => !['oneOf', 'if'].includes(keyword))
  const depth = ({ instancePath }: ErrorObject) => instancePath.split('/').length
  const sorted = (causes.length > 0 ? causes : all).toSorted((one, other) => depth(other) - depth(one))
  const messages = [...new Set(sorted.map((error) => `${error.instancePath || whole} ${rule(error)}`))]
  const more = messages.length - MAX_MESSAGES
  return more > 0 ? [...messages.slice(0, MAX_MESSAGES), `and ${more} more`] : messages
}

/** Everything said here stands in the schema, except the name of a member that should not be there. */
function rule({ keyword, message, params }: ErrorObject): string {
  if (keyword === 'const') return `must be ${JSON.stringify(params.allowedValue)}`
  if (keyword === 'enum') return `must be one of ${params.allowedValues.map((each: unknown) => JSON.stringify(each)).join(', ')}`
  if (keyword === 'additionalProperties') return `must not have the member '${params.additionalProperty}'`
  return message ?? `breaks the rule ${keyword}`
}

function createAjv(root: Node, allErrors: boolean): Ajv2020 {
  // Strict, so that a misspelt keyword in the contract is an error and not a rule that silently never applies.
  const ajv = new Ajv2020({ strictSchema: true, strictTypes: false, allErrors, formats: { double: true, int64: true } })
  ajv.addVocabulary([...Object.keys(root), 'example', 'x-undocumented', 'x-extensible-enum'])
  return ajv.addSchema(root, 'contract')
}

function mediaType(headers: Headers): string | undefined {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase()
}

const encodePart = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')
