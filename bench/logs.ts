/**
 * What the log centre costs those who log in:
 *   npm run bench:logs -- --database postgres://… [--only explorers|indexes|catch-up] [--rounds 4] [--seconds 20]
 * on a database filled by `npm run scale-data`, whose server runs on this machine. Everything is measured in
 * alternation, with and without, because the speed of a shared machine varies; the spread of the rounds is its noise.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { Pool } from 'undici'
import { type LoginTimes, startBackgroundLogins } from './background-logins.ts'
import { createVisitor, enterPortal, logIn, type Visitor } from './client.ts'
import { ADMINISTRATOR, type Site, startSite } from './site.ts'

const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '20' },
    rate: { type: 'string', default: '10' },
  },
})
const rounds = Number(options.rounds)
const ms = (value: number, digits = 0) => value.toFixed(digits).padStart(7)
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds))

const EXPLORERS = 10
/** Typical questions, of which an index answers some, roll-ups one, and the last two nothing. */
const ASKED: [string, Record<string, string>][] = [
  ['/login_log/query/', {}],
  ['/login_log/query/', { ip: '10.7.3.9' }],
  ['/login_log/query/', { search: '王伟' }],
  ['/login_log/query/', { result: '0' }],
  ['/app_visit_log/query/', { ip: '10.7.3.0/24' }],
  ['/login_log/figures/', {}],
  ['/login_log/figures/', { ip: '10.0.0.0/9' }],
  ['/login_log/query/', { device: 'Amiga', clientType: 'tablet', onCampus: '0' }],
]

/** Administrators who ask one question after the other until stopped. */
async function explore(visitors: Visitor[]): Promise<() => Promise<number>> {
  let isOver = false
  let answered = 0
  const all = visitors.map(async (visitor, at) => {
    for (let n = at; !isOver; n += 1) {
      const [path, query] = ASKED[n % ASKED.length] ?? ['/login_log/query/', {}]
      if ((await visitor.call(path, query)).status === 200) answered += 1
    }
  })
  return async () => {
    isOver = true
    await Promise.all(all)
    return answered
  }
}

async function logInFor(site: Site, seconds: number): Promise<LoginTimes> {
  const stop = startBackgroundLogins(site, Number(options.rate))
  await pause(seconds * 1000)
  return await stop()
}

function printLogins(what: string, { asked, failed, p50, p99 }: LoginTimes, note: string): void {
  console.log(
    `${what.padEnd(34)} ${String(asked).padStart(6)} ${String(failed).padStart(6)} ${ms(p50)} ${ms(p99)}  ${note}`,
  )
}

async function measureExplorers(site: Site): Promise<void> {
  const pool = new Pool(site.url, { connections: EXPLORERS })
  const visitors = Array.from({ length: EXPLORERS }, () => createVisitor(pool, site.url, ADMINISTRATOR))
  for (const visitor of visitors) {
    await logIn(visitor)
    await enterPortal(visitor, site.url)
  }
  const times = { alone: [] as LoginTimes[], beside: [] as LoginTimes[] }
  console.log(`\nlogins                              asked failed  p50 ms  p99 ms`)
  for (let round = 0; round < rounds; round += 1) {
    const alone = await logInFor(site, Number(options.seconds))
    printLogins('alone', alone, '')
    const stop = await explore(visitors)
    const beside = await logInFor(site, Number(options.seconds))
    printLogins(`beside ${EXPLORERS} explorers`, beside, `${await stop()} questions answered`)
    times.alone.push(alone)
    times.beside.push(beside)
  }
  await pool.close()
  for (const figure of ['p50', 'p99'] as const) {
    const [alone, beside] = [times.alone, times.beside].map((all) => median(all.map((one) => one[figure])))
    console.log(`${figure}, median of the rounds: ${ms(alone ?? 0)} alone, ${ms(beside ?? 0)} beside`)
  }
}

/** Those that only the log centre uses. */
const INDEXES = [
  'login_records_ip',
  'login_records_account',
  'login_records_application',
  'login_records_failed',
  'login_records_request',
]
const WRITTEN = 4000

/** User and system time of a process, in milliseconds, from proc(5). */
function cpuOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** CPU of the database's process per record, each in a transaction of its own as a login writes it. */
async function writeLogins(sql: postgres.Sql): Promise<number> {
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const before = cpuOf(backend?.pid ?? 0)
  for (let n = 0; n < WRITTEN; n += 1) {
    await sql`
      insert into login_records (id, at, user_id, account, auth_type, succeeded, ip, user_agent, browser, device, client_type,
        on_campus, request_id)
      values (gen_random_uuid(), now(), gen_random_uuid(), ${String(n * 7919)}, 'user', true,
        ${`10.${n % 200}.${n % 250}.${n % 240}`}, 'bench', 'Chrome 140', 'Windows 11', 'pc', true, ${randomUUID()})`
  }
  return (cpuOf(backend?.pid ?? 0) - before) / WRITTEN
}

async function measureIndexes(database: string): Promise<void> {
  const sql = postgres(database, { max: 1, onnotice: () => {} })
  const kept = await sql<{ definition: string }[]>`
    select pg_get_indexdef(indexrelid) as definition from pg_index where indexrelid::regclass::text = any(${INDEXES})`
  const times = { with: [] as number[], without: [] as number[] }
  console.log('\nCPU of a login record in the database, ms   with  without')
  try {
    for (let round = 0; round < rounds; round += 1) {
      times.with.push(await writeLogins(sql))
      for (const name of INDEXES) await sql`drop index ${sql(name)}`
      times.without.push(await writeLogins(sql))
      for (const { definition } of kept) await sql.unsafe(definition.replace(' ON ONLY ', ' ON '))
      console.log(`${' '.repeat(42)}${ms(times.with.at(-1) ?? 0, 3)}${ms(times.without.at(-1) ?? 0, 3)}`)
    }
    const cost = median(times.with) - median(times.without)
    console.log(`the indexes cost ${cost.toFixed(3)} ms of CPU a login (medians; budget 0.1)`)
  } finally {
    for (const { definition } of kept)
      await sql.unsafe(definition.replace(' ON ONLY ', ' ON ').replace('CREATE INDEX', 'CREATE INDEX IF NOT EXISTS'))
    await sql`delete from login_records where user_agent = 'bench'`
    await sql.end()
  }
}

const DAY_MS = 86_400_000
const LOGINS_OF_A_DAY = 50_000

/** A day of logins that no roll-up knows, as after a day without any node. */
async function goAwayForADay(sql: postgres.Sql): Promise<Date> {
  const since = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - DAY_MS)
  await sql`
    insert into login_records (id, at, user_id, account, auth_type, succeeded, ip, user_agent, browser, device, client_type, on_campus,
      request_id)
    select gen_random_uuid(), ${since}::timestamptz + n * (interval '24 hours' / ${LOGINS_OF_A_DAY}::int), u.id, u.account, 'user',
      n % 12 <> 0, ('10.' || n % 200 || '.1.' || n % 250)::inet, 'bench', 'Chrome 140', 'Windows 11', 'pc', true, ''
    from generate_series(0, ${LOGINS_OF_A_DAY - 1}) n join lateral (
      select id, account from users where account like '2%' offset n % 1000 limit 1) u on true`
  await sql`update statistics_progress set counted_until = ${since}`
  return since
}

/** When what a day away left undone is done, in seconds from now. */
async function waitFor(isDone: () => Promise<boolean>): Promise<number> {
  const from = performance.now()
  while (!(await isDone())) await pause(200)
  return (performance.now() - from) / 1000
}

async function measureCatchUp(site: Site, database: string): Promise<void> {
  const sql = postgres(database, { max: 1, onnotice: () => {} })
  const isCounted = async () => {
    const [row] = await sql<{ at: Date }[]>`select counted_until as at from statistics_progress`
    return (row?.at.getTime() ?? 0) >= Date.now() - 2 * 3_600_000
  }
  const isSealed = async () => {
    const rows = await sql<{ until: Date }[]>`select max(until) as until from record_chain group by log`
    return rows.length === 3 && rows.every(({ until }) => until.getTime() > Date.now() - 3 * 3_600_000)
  }
  try {
    // A database that was just filled is counted first.
    await waitFor(isCounted)
    console.log(`\nlogins                              asked failed  p50 ms  p99 ms`)
    for (let round = 0; round < rounds; round += 1) {
      printLogins('counted', await logInFor(site, Number(options.seconds)), '')
      const from = performance.now()
      const since = await goAwayForADay(sql)
      // Its hours are not sealed either; those before are not what is measured.
      await sql`delete from record_chain where until > ${since}`
      await sql`
        insert into record_chain (log, until, rows, digest, seal)
        select log, ${since}::timestamptz, 0, '', '' from unnest(array['login', 'visit', 'audit']) log on conflict do nothing`
      const written = ((performance.now() - from) / 1000).toFixed(1)
      const stop = startBackgroundLogins(site, Number(options.rate))
      const [counted, sealed] = await Promise.all([waitFor(isCounted), waitFor(isSealed)])
      const note = `counted after ${counted.toFixed(1)} s, sealed after ${sealed.toFixed(1)} s (runs begin each minute)`
      printLogins(
        'while a day is made up for',
        await stop(),
        `${LOGINS_OF_A_DAY} logins, written in ${written} s: ${note}`,
      )
    }
  } finally {
    await sql`delete from login_records where user_agent = 'bench'`
    await sql.end()
  }
}

async function main(): Promise<void> {
  const { database, only } = options
  if (!database) throw new Error('--database names a database that scale-data has filled')
  if ('indexes'.includes(only)) await measureIndexes(database)
  if (only === 'indexes') return
  const site = await startSite(database)
  try {
    if ('explorers'.includes(only)) await measureExplorers(site)
    if ('catch-up'.includes(only)) await measureCatchUp(site, database)
  } finally {
    await site.stop()
  }
}

await main()
