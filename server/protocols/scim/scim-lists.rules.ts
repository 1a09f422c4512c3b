import { validate as isUuid } from 'uuid'
import { errors } from './scim.errors.ts'
import type { Given } from './scim-values.rules.ts'

export const MAX_PAGE_SIZE = 200
export const DEFAULT_PAGE_SIZE = 100
/** Offsets end here: further pages need a cursor. */
const MAX_START_INDEX = 10_000

export type PageRequest =
  | { kind: 'index'; startIndex: number; count: number }
  /** RFC 9865; `after`: null for the first page. */
  | { kind: 'cursor'; after: string | null; count: number }

function toNumber(value: unknown, otherwise: number): number {
  if (value === undefined || value === '') return otherwise
  const number = Number(value)
  if (!Number.isSafeInteger(number))
    throw errors['scim.wrong-type']({ params: { attribute: 'startIndex, count', type: 'integer' } })
  return number
}

/** @throws Refusal `scim.page-too-deep`, `scim.bad-cursor`, `scim.wrong-type`. */
export function readPage({ startIndex, count, cursor }: Given): PageRequest {
  const size = Math.min(MAX_PAGE_SIZE, Math.max(0, toNumber(count, DEFAULT_PAGE_SIZE)))
  if (cursor !== undefined) return { kind: 'cursor', after: readCursor(cursor), count: size }
  const first = Math.max(1, toNumber(startIndex, 1))
  if (first > MAX_START_INDEX) throw errors['scim.page-too-deep']({ params: { most: MAX_START_INDEX } })
  return { kind: 'index', startIndex: first, count: size }
}

const toCursor = (id: string): string => Buffer.from(id).toString('base64url')

function readCursor(cursor: unknown): string | null {
  if (cursor === '') return null
  const id = typeof cursor === 'string' ? Buffer.from(cursor.slice(0, 100), 'base64url').toString() : ''
  if (!isUuid(id)) throw errors['scim.bad-cursor']()
  return id
}

type Found = { total: number; resources: readonly Given[]; lastId: string | null; isMore: boolean }

/** A page of RFC 7644 3.4.2, with the next cursor if one was requested. */
export function renderList(page: PageRequest, { total, resources, lastId, isMore }: Found): Given {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    itemsPerPage: resources.length,
    ...(page.kind === 'index' ? { startIndex: page.startIndex } : isMore && lastId && { nextCursor: toCursor(lastId) }),
    Resources: resources,
  }
}
