import { expect } from 'vitest'
import type { TestServer } from './server.ts'

/** What the records say, and the counted figures: equal if the figures are right. */
export async function compare({ platform: { sql } }: TestServer) {
  const raw = await sql`
    select date_trunc('hour', at) as hour, auth_type, succeeded, on_campus, count(*)::int as logins from login_records
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`
  const counted = await sql`select hour, auth_type, succeeded, on_campus, logins from login_hours order by 1, 2, 3, 4`
  const rawVisits = await sql`
    select date_trunc('hour', at) as hour, application_id as id, count(*)::int as visits from visit_records where refusal is null
    group by 1, 2 order by 1, 2`
  const countedVisits = await sql`
    select hour, application_id as id, visits from application_hours
    where visits > 0 and application_id <> '00000000-0000-0000-0000-000000000000' order by 1, 2`
  const rawPeople = await sql`
    select to_char(at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, count(distinct user_id)::int as people
    from login_records where succeeded group by 1 order by 1`
  const countedPeople = await sql`
    select to_char(day, 'YYYY-MM-DD') as day, people from day_figures
    where application_id = '00000000-0000-0000-0000-000000000000' order by 1`
  const rawLog = await sql`
    select date_trunc('hour', at) as hour, count(*) filter (where succeeded)::int as succeeded,
      count(*) filter (where not succeeded)::int as refused from login_records group by 1 order by 1`
  const countedLog = await sql`
    select hour, succeeded, refused from log_hours where log = 'login' and facet = 'all' order by 1`
  return {
    raw: { logins: [...raw], visits: [...rawVisits], people: [...rawPeople], log: [...rawLog] },
    counted: { logins: [...counted], visits: [...countedVisits], people: [...countedPeople], log: [...countedLog] },
  }
}

export async function expectEqual(server: TestServer) {
  const { raw, counted } = await compare(server)
  expect(counted).toEqual(raw)
  return raw
}
