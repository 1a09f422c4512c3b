import type { Db } from '../../platform/db.ts'

export type RuleCount = { rule: string; did: number; would: number }

/** How many of the newest logins since then any rule applied to, and how often each rule did. */
export async function countByRule(db: Db, since: Date, most: number): Promise<{ logins: number; rules: RuleCount[] }> {
  const [found] = await db<{ logins: number; rules: RuleCount[] | null }[]>`
    with newest as materialized (
      select rule_outcomes from login_records where rule_outcomes is not null and at >= ${since}
      order by at desc, id desc limit ${most}
    ), counted as (
      select said.rule, (count(*) filter (where said.mode = 'on'))::int as did,
        (count(*) filter (where said.mode = 'report'))::int as would
      from newest, jsonb_to_recordset(newest.rule_outcomes) as said(rule uuid, mode text) group by said.rule
    )
    select (select count(*)::int from newest) as logins, (select json_agg(counted) from counted) as rules`
  return { logins: found?.logins ?? 0, rules: found?.rules ?? [] }
}
