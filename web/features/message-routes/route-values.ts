import { useQuery } from '@tanstack/react-query'
import {
  MESSAGE_PURPOSES,
  MESSAGE_ROUTES_KEYS,
  type MessageChannel,
  type MessagePurpose,
  MessageRoutes,
  messageRoutesDetails,
  QUOTA_KEYS,
  type StoredRoutes,
  updateMessageRoutes,
} from '#shared/contract/message-routes.ts'
import { call } from '../../platform/api.ts'

export type StepDraft = { channel: MessageChannel; seconds: string }
type Quotas = Record<(typeof QUOTA_KEYS)[MessageChannel], string>

/** As shown in the form: numbers as typed. */
export type RoutesDraft = Omit<MessageRoutes, MessagePurpose | keyof Quotas | 'quietFrom'> &
  Record<MessagePurpose, StepDraft[]> &
  Quotas & { quietFrom: string }

const DEFAULT_SECONDS = '20'
export const newStep = (channel: MessageChannel): StepDraft => ({ channel, seconds: DEFAULT_SECONDS })

const fromKeys = <Key extends string, Value>(keys: readonly Key[], of: (key: Key) => Value) =>
  Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<Key, Value>

const QUOTAS = Object.values(QUOTA_KEYS)

export function toDraft({ values }: StoredRoutes): RoutesDraft {
  const all = MessageRoutes.parse(values)
  const routes = fromKeys(MESSAGE_PURPOSES, (purpose) =>
    all[purpose].map(({ channel, seconds }) => ({ channel, seconds: String(seconds) })),
  )
  const quotas = fromKeys(QUOTAS, (key) => (all[key] === null ? '' : String(all[key])))
  return { ...all, ...routes, ...quotas, quietFrom: all.quietFrom ?? '' }
}

/** Invalid numbers are sent as typed, so that the server names the field. */
const toNumber = (text: string): number | string => (/^\d+$/.test(text.trim()) ? Number(text) : text)

function toValues(draft: RoutesDraft): Record<string, unknown> {
  const routes = fromKeys(MESSAGE_PURPOSES, (purpose) =>
    draft[purpose].map(({ channel, seconds }) => ({ channel, seconds: toNumber(seconds) })),
  )
  const quotas = fromKeys(QUOTAS, (key) => (draft[key].trim() === '' ? null : toNumber(draft[key])))
  return { ...draft, ...routes, ...quotas, quietFrom: draft.quietFrom === '' ? null : draft.quietFrom }
}

export const loadRoutes = (signal: AbortSignal): Promise<StoredRoutes> => call(messageRoutesDetails, {}, { signal })

export const useMessageRoutes = () =>
  useQuery({ queryKey: ['message-routes'], queryFn: ({ signal }) => loadRoutes(signal) })

export function saveRoutes(stored: StoredRoutes, draft: RoutesDraft): Promise<StoredRoutes> {
  const [before, after] = [toValues(toDraft(stored)), toValues(draft)]
  const changed = MESSAGE_ROUTES_KEYS.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  const changes = Object.fromEntries(changed.map((key) => [key, after[key]]))
  return call(updateMessageRoutes, { body: { version: stored.version, changes, reset: [] } })
}
