import type { ScimCaller } from '../../features/scim-clients/index.ts'
import type { Context } from '../../platform/platform.ts'
import type { Given } from './scim-values.rules.ts'

/** A request to the endpoints of a resource type, on its own or in a bulk. */
export type ScimRequest = {
  ctx: Context
  client: ScimCaller
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Null: the resource type, not one resource. */
  id: string | null
  query: Given
  body: unknown
  ifMatch?: string | undefined
  ifNoneMatch?: string | undefined
}

export type ScimAnswer = { status: number; body?: Given; location?: string; etag?: string }
