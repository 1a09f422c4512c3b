import i18next from 'i18next'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import { type Filter, filterNames } from './list-filter.ts'

/** A refusal of what a filter asks for, by the label of the filter; any other error as it is. */
export function filterRefusal(filters: readonly Filter[], error: unknown): unknown {
  if (!isRefusal(error, 'request.invalid')) return error
  const [first] = (error.data as { fields?: { field: string; reason: string }[] } | null)?.fields ?? []
  const filter = filters.find((one) => first && filterNames(one).includes(first.field))
  if (!first || !filter) return error
  const message = i18next.t('errors.request.invalid', { field: filter.label, reason: first.reason })
  return new Refusal(error.state, error.code, message, { data: error.data, requestId: error.requestId })
}
