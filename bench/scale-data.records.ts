import type { Database } from '../server/platform/db.ts'

const DAYS = 400
const TABLES = ['login_records', 'visit_records', 'audit_records']
const BATCH = 500_000
/** Of a hundred people. */
const LOGGED_IN = 3

/** 60 % logins, 30 % visits, 10 % changes, evenly over the last 400 days; three of a hundred people are logged in. */
export async function writeRecords(sql: Database, count: number, at: Date): Promise<void> {
  const first = new Date(at.getTime() - DAYS * 86_400_000)
  await sql`select ensure_record_partitions(${first}::date, 16)`
  await sql`create table scale_people as
    select (row_number() over (order by account))::int as n, id, account from users where deleted_at is null and activated`
  await sql`create unique index on scale_people (n)`
  await sql`create table scale_applications as
    select (row_number() over (order by app_id))::int as n, id from applications where not built_in`
  await writeSessions(sql, at)
  await withoutIndexes(sql, async () => {
    const parts = [
      [Math.round(count * 0.6), writeLogins],
      [Math.round(count * 0.3), writeVisits],
      [Math.round(count * 0.1), writeAudits],
    ] as const
    for (const [rows, write] of parts) {
      for (let from = 0; from < rows; from += BATCH) {
        await write(sql, { from, to: Math.min(rows, from + BATCH) - 1, first, stepMs: (DAYS * 86_400_000) / rows })
      }
    }
  })
  await sql`drop table scale_people, scale_applications`
}

/** Indexes are built at the end, which takes a third of the time. */
async function withoutIndexes(sql: Database, write: () => Promise<void>): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    where t.relname = any(${TABLES}) and not i.indisprimary and t.relkind = 'p'`
  for (const { name } of indexes) await sql`drop index ${sql(name)}`
  await write()
  // The catalogue writes an index of a partitioned table with `on only`; without it every partition gets its own.
  for (const { definition } of indexes) await sql.unsafe(definition.replace(' ON ONLY ', ' ON '))
}

type Span = { from: number; to: number; first: Date; stepMs: number }

const rows = (sql: Database, { from, to, first, stepMs }: Span) => sql`
  select i, ${first}::timestamptz + make_interval(secs => i * ${stepMs / 1000}::float8) as at,
    abs(hashint4(i)) as r1, abs(hashint4(i + 7919)) as r2, abs(hashint4(i + 104729)) as r3
  from generate_series(${from}::int, ${to}::int) i`

const person = (sql: Database) => sql`scale_people p on p.n = 1 + r1 % (select max(n) from scale_people)`
const application = (sql: Database) =>
  sql`scale_applications a on a.n = 1 + r2 % (select max(n) from scale_applications)`

const writeLogins = (sql: Database, span: Span) => sql`
  insert into login_records (id, at, user_id, account, auth_type, succeeded, reason, ip, user_agent, browser, device, client_type,
    on_campus, application_id, request_id)
  select gen_random_uuid(), r.at, p.id, p.account, (array['user', 'captcha', 'qywx', 'dingding'])[1 + r2 % 4], r3 % 12 <> 0,
    case when r3 % 12 = 0 then 'sign-in.wrong-credentials' end, ('10.' || r2 % 200 || '.' || r3 % 250 || '.' || r1 % 250)::inet,
    'scale', (array['Chrome 140', 'Edge 140', 'Safari 19', 'Firefox 144'])[1 + r3 % 4],
    (array['Windows 11', 'iPhone', 'Android', 'macOS'])[1 + r1 % 4], (array['pc', 'mobile', 'tablet'])[1 + r2 % 3], r3 % 5 <> 0, a.id, r.i::text
  from (${rows(sql, span)}) r join ${person(sql)} join ${application(sql)}`

const writeVisits = (sql: Database, span: Span) => sql`
  insert into visit_records (id, at, user_id, application_id, entry, ip, client_type, on_campus)
  select gen_random_uuid(), r.at, p.id, a.id, case when r3 % 3 = 0 then 'portal' else 'sign-on' end,
    ('10.' || r2 % 200 || '.' || r3 % 250 || '.' || r1 % 250)::inet, (array['pc', 'mobile'])[1 + r2 % 2], r3 % 5 <> 0
  from (${rows(sql, span)}) r join ${person(sql)} join ${application(sql)}`

const writeAudits = (sql: Database, span: Span) => sql`
  insert into audit_records (id, at, actor_id, actor, action, target_kind, target_id, user_id, before, after, ip)
  select gen_random_uuid(), r.at, p.id, p.id::text, (array['password.change', 'nickname.change', 'account.update'])[1 + r2 % 3], 'user',
    p.id::text, p.id, '{"nickname": "former"}', '{"nickname": "present"}', ('10.1.2.' || r1 % 250)::inet
  from (${rows(sql, span)}) r join ${person(sql)}`

const writeSessions = (sql: Database, at: Date) => sql`
  insert into sso_sessions (id, secret_hash, user_id, auth_type, authenticated_at, opened_at, last_seen_at, expires_at, ip, user_agent,
    browser, device, client_type, on_campus)
  select gen_random_uuid(), sha256(n::text::bytea), id, 'user', ${at}::timestamptz, ${at}::timestamptz - make_interval(secs => n % 3600), ${at},
    ${at}::timestamptz + interval '8 hours', ('10.2.' || n % 250 || '.' || n % 199)::inet, 'scale', 'Chrome 140', 'Windows 11', 'pc', true
  from scale_people where n % 100 < ${LOGGED_IN}`
