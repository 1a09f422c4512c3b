import type { Endpoint } from '#shared/contract/endpoint.ts'
import { buildRequestUrl, type CallInput, type CallOutput, fetchData } from './api.ts'

/** Sends a file to a call of the contract. @throws Refusal as `call` does. */
export async function upload<E extends Endpoint>(
  endpoint: E,
  query: CallInput<E>['query'],
  file: Blob,
): Promise<CallOutput<E>> {
  const form = new FormData()
  form.set('file', file)
  const data = await fetchData(endpoint, {
    ...buildRequestUrl(endpoint, (query ?? {}) as Record<string, unknown>),
    body: '',
    form,
  })
  return data as CallOutput<E>
}
