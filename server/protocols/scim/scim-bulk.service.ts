import { countCall, recordHeld } from '../../features/scim-clients/index.ts'
import { logFailure, toRefusal } from '../../platform/http/responses.ts'
import { errors, toScimError } from './scim.errors.ts'
import { MAX_BULK_OPERATIONS } from './scim-discovery.render.ts'
import { answerGroups } from './scim-groups.service.ts'
import type { ScimAnswer, ScimRequest } from './scim-request.types.ts'
import { answerUsers } from './scim-users.service.ts'
import { type Given, isObject, lowerKeys } from './scim-values.rules.ts'

type Operation = {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  bulkId: string | null
  version: string | undefined
  data: unknown
}

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

export const RESOURCES = { Users: answerUsers, Groups: answerGroups } as const

const badSyntax = (near: string) => errors['scim.bad-syntax']({ params: { near } })

function readOperation(given: unknown): Operation {
  const { method, path, bulkid, version, data } = isObject(given) ? lowerKeys(given) : {}
  const verb = METHODS.find((one) => one === String(method).toUpperCase())
  if (!verb || typeof path !== 'string') throw badSyntax('method, path')
  const bulkId = typeof bulkid === 'string' && bulkid !== '' ? bulkid : null
  if (verb === 'POST' && bulkId === null) throw badSyntax('bulkId')
  return { method: verb, path, bulkId, version: typeof version === 'string' ? version : undefined, data }
}

const REFERENCE = /"bulkId:([^"\\]{1,200})"/g

/** Ids of resources created by other operations of the bulk that an operation refers to. */
const referencesOf = ({ path, data }: Operation): string[] =>
  [...`"${path.split('/').at(-1) ?? ''}" ${JSON.stringify(data ?? null)}`.matchAll(REFERENCE)].map(([, id]) => id ?? '')

function resolve(operation: Operation, ids: ReadonlyMap<string, string>): Operation {
  const data = JSON.stringify(operation.data ?? null).replace(REFERENCE, (all, id: string) => {
    const known = ids.get(id)
    return known === undefined ? all : `"${known}"`
  })
  const path = operation.path.replace(/bulkId:(.+)$/, (all, id: string) => ids.get(id) ?? all)
  return { ...operation, path, data: JSON.parse(data) as unknown }
}

type Log = Parameters<typeof logFailure>[1]

/**
 * Many operations in one request (RFC 7644 3.7), each on its own: those before an error stay. They run in order, but after those that
 * create what they refer to.
 * @throws Refusal `scim.bad-syntax`, `scim.too-many-operations`.
 */
export async function answerBulk(request: ScimRequest, log: Log): Promise<ScimAnswer> {
  const { operations, mostErrors } = readBulk(request.body)
  const ids = new Map<string, string>()
  const results: Given[] = []
  let failed = 0
  while (operations.length > 0 && failed < mostErrors) {
    const { operation, isReady } = takeNext(operations, ids)
    const result = await runOne(request, isReady ? resolve(operation, ids) : null, operation, log)
    if (result.id !== null && operation.bulkId) ids.set(operation.bulkId, result.id)
    if (result.isError) failed += 1
    results.push(result.answer)
  }
  const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkResponse'], Operations: results }
  return { status: 200, body }
}

function readBulk(body: unknown): { operations: Operation[]; mostErrors: number } {
  const { operations, failonerrors } = isObject(body) ? lowerKeys(body) : {}
  if (!Array.isArray(operations)) throw badSyntax('Operations')
  if (operations.length > MAX_BULK_OPERATIONS)
    throw errors['scim.too-many-operations']({ params: { most: MAX_BULK_OPERATIONS } })
  const mostErrors = typeof failonerrors === 'number' && failonerrors >= 1 ? failonerrors : Number.POSITIVE_INFINITY
  return { operations: operations.map(readOperation), mostErrors }
}

/** Removes and returns the first that depends on none of the others; else the first of all. */
function takeNext(waiting: Operation[], ids: ReadonlyMap<string, string>): { operation: Operation; isReady: boolean } {
  const pending = new Set(waiting.flatMap(({ method, bulkId }) => (method === 'POST' && bulkId ? [bulkId] : [])))
  const at = waiting.findIndex((one) => referencesOf(one).every((id) => ids.has(id) || !pending.has(id)))
  const [operation] = waiting.splice(Math.max(0, at), 1)
  if (!operation) throw new Error('nothing waits')
  return { operation, isReady: at >= 0 }
}

type Result = { answer: Given; id: string | null; isError: boolean }

/** `operation`: null if it is part of a circular dependency. */
async function runOne(
  request: ScimRequest,
  operation: Operation | null,
  { method, bulkId }: Operation,
  log: Log,
): Promise<Result> {
  const common = { method, ...(bulkId && { bulkId }) }
  const { ctx, client } = request
  try {
    if (!operation) throw errors['scim.bulk-unresolved']()
    await countCall(ctx, client)
    const { status, location, etag } = await runOperation(request, operation)
    const answer = { ...common, ...(location && { location }), ...(etag && { version: etag }), status: String(status) }
    return { answer, id: location?.split('/').at(-1) ?? null, isError: false }
  } catch (error) {
    const refusal = toRefusal(error)
    logFailure(ctx, log, error, 'SCIM operation failed')
    await recordHeld(ctx, client, refusal)
    const detail = ctx.translate(ctx.client.language, `errors.${refusal.code}`, refusal.params)
    const response = toScimError(refusal, detail)
    return { answer: { ...common, status: response.status, response }, id: null, isError: true }
  }
}

async function runOperation(request: ScimRequest, operation: Operation): Promise<ScimAnswer> {
  // No bulk within a bulk.
  const [, kind, id = null] = /^\/(Users|Groups)(?:\/([^/?]+))?$/.exec(operation.path) ?? []
  if ((kind !== 'Users' && kind !== 'Groups') || (operation.method === 'POST') !== (id === null))
    throw errors['scim.bad-bulk-path']({ params: { path: operation.path.slice(0, 100) } })
  const { ctx, client } = request
  const { method, data, version } = operation
  return await RESOURCES[kind]({ ctx, client, method, id, query: {}, body: data, ifMatch: version })
}
