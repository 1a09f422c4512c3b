import type { LogInsight } from '#shared/contract/log-insights.ts'
import { MINUTE_MS } from '#shared/rules/durations.ts'
import { formatLimit } from '../../ui/list-filter.ts'

type Place = { to: '/manage/login-log' | '/manage/app-visit-log' | '/manage/message'; search: Record<string, string> }

type Search = Record<string, string | null | undefined>

const SEARCHES: Readonly<Record<Exclude<LogInsight['kind'], 'lost-codes'>, (one: LogInsight) => Search>> = {
  spraying: ({ address }) => ({ ip: address, result: '0' }),
  'failing-account': ({ userId }) => ({ userId, result: '0' }),
  'new-range': ({ userId, range }) => ({ userId, ipRange: range, result: '1' }),
  'new-device': ({ userId, clientType }) => ({ userId, clientType, result: '1' }),
  'range-hop': ({ userId }) => ({ userId, result: '1' }),
  refusals: ({ applicationId }) => ({ applicationId, result: '0' }),
}

/** The records of an insight, from its first minute to its last; codes have no records, so their channels are shown instead. */
export function insightPlace(one: LogInsight): Place {
  if (one.kind === 'lost-codes') return { to: '/manage/message', search: { tab: 'channels' } }
  const period = {
    from: formatLimit(new Date(one.firstAt)),
    to: formatLimit(new Date(Date.parse(one.lastAt) + MINUTE_MS)),
  }
  const given = Object.entries({ ...SEARCHES[one.kind](one), ...period })
  const search = Object.fromEntries(given.flatMap(([name, value]) => (value ? [[name, value]] : [])))
  return { to: one.kind === 'refusals' ? '/manage/app-visit-log' : '/manage/login-log', search }
}
