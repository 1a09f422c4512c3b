import type { Endpoint } from '#shared/contract/endpoint.ts'
import { type CallInput, type CallOutput, call } from './api.ts'

/**
 * Saves what a form has of a resource, by its two calls (`shared/contract/resource-calls.ts`): `loaded` is what the form began with,
 * null for a new one. Both calls answer the row.
 * @throws Refusal as `call` does; `version.conflict` when somebody else changed it meanwhile
 */
export function saveResource<Create extends Endpoint>(
  { create, update }: { create: Create; update: Endpoint },
  loaded: { id: string; version: number } | null,
  body: CallInput<Create>['body'],
): Promise<CallOutput<Create>> {
  if (!loaded) return call(create, { body } as CallInput<Create>)
  const { id, version } = loaded
  const input = { query: { id }, body: { ...(body as object), version } }
  return call(update, input as CallInput<Endpoint>) as Promise<CallOutput<Create>>
}
