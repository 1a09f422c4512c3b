import type { LogInsight } from '#shared/contract/log-insights.ts'
import { MINUTE_MS } from '#shared/rules/durations.ts'
import { formatLimit } from '../../ui/list-filter.ts'

type Page = '/manage/login-log' | '/manage/app-visit-log' | '/manage/message-log'
type PageLink = { to: Page; search: Record<string, string> }

type Search = Record<string, string | null | undefined>

const SEARCHES: Readonly<Record<LogInsight['kind'], (one: LogInsight) => Search>> = {
  spraying: ({ address }) => ({ ip: address, result: '0' }),
  'failing-account': ({ userId }) => ({ userId, result: '0' }),
  // What was new, among what was usual.
  'new-range': ({ userId }) => ({ userId, result: '1' }),
  'new-device': ({ userId }) => ({ userId, result: '1' }),
  'range-hop': ({ userId }) => ({ userId, result: '1' }),
  refusals: ({ applicationId }) => ({ applicationId, result: '0' }),
  'lost-codes': ({ channel }) => ({ state: 'undelivered-code', channel }),
}

const PAGES: Partial<Record<LogInsight['kind'], Page>> = {
  refusals: '/manage/app-visit-log',
  'lost-codes': '/manage/message-log',
}

/** The records that an insight counted, exactly; of an older insight, those from its first minute to its last. */
export function insightLink(one: LogInsight): PageLink {
  const { kind, firstAt, lastAt, from, to } = one
  const period =
    from && to
      ? { from: formatLimit(new Date(from), true), to: formatLimit(new Date(to), true) }
      : { from: formatLimit(new Date(firstAt)), to: formatLimit(new Date(Date.parse(lastAt) + MINUTE_MS)) }
  const given = Object.entries({ ...SEARCHES[kind](one), ...period })
  const search = Object.fromEntries(given.flatMap(([name, value]) => (value ? [[name, value]] : [])))
  return { to: PAGES[kind] ?? '/manage/login-log', search }
}
