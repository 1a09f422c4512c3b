import type { listRuleOutcomes, RuleLogin, RuleOutcome } from '#shared/contract/access-rules.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import type { Input } from '../../platform/http/mount.ts'
import { escapeLike, listPage } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import type { Context } from '../../platform/platform.ts'

export type OutcomeQuery = Omit<Input<typeof listRuleOutcomes>['query'], 'from' | 'to'> & { from: Date; to: Date }

/** One element of `rule_outcomes` to match: rule, outcome and mode belong to the same element. */
function outcomePattern({ rule, outcome, did }: OutcomeQuery): string {
  const mode = did === undefined ? {} : { mode: did === '1' ? 'on' : 'report' }
  return JSON.stringify([{ ...(rule && { rule }), ...(outcome && { outcome }), ...mode }])
}

const matches = (db: Db, query: OutcomeQuery): SqlFragment => db`
  r.rule_outcomes is not null and r.at >= ${query.from} and r.at < ${query.to}
  and r.rule_outcomes @> ${outcomePattern(query)}::text::jsonb
  and (${query.search} = '' or r.account ilike ${`%${escapeLike(query.search)}%`})`

/**
 * How far back the search reaches: the time at which this many logins of the period, newest first, have been examined; null: there are
 * fewer.
 */
export async function findSearchEnd(
  db: Db,
  { from, to }: { from: Date; to: Date },
  most: number,
): Promise<Date | null> {
  const [row] = await db<{ at: Date }[]>`
    select at from login_records where rule_outcomes is not null and at >= ${from} and at < ${to}
    order by at desc, id desc offset ${most - 1} limit 1`
  return row?.at ?? null
}

type OutcomeRow = Omit<RuleLogin, 'at' | 'person' | 'outcomes'> & {
  at: Date
  userId: string | null
  userName: string | null
  said: { rule: string; name: string; outcome: RuleOutcome; mode: string }[]
}

export function pageOfOutcomes({ db, client }: Context, query: OutcomeQuery) {
  const where = matches(db, query)
  return listPage(db, query, db`from login_records r where ${where}`, ({ asc, desc, bounds }) => {
    const direction = query.sort.startsWith('-') ? desc : asc
    return db<OutcomeRow[]>`
      select r.id, r.at, r.account, r.user_id, u.name as user_name, host(r.ip) as ip, r.ip_range,
        ${localized(db, 'a', client.language)} as application, r.succeeded, r.reason, r.rule_outcomes as said
      from login_records r left join users u on u.id = r.user_id left join applications a on a.id = r.application_id
      where ${where}
      order by r.at ${direction}, r.id ${direction} ${bounds}`
  })
}
