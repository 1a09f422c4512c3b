/**
 * Response times of the back office at the size of a large institution, one call after the other:
 *   npm run bench:back-office -- --database postgres://… [--only word] [--json file]
 * on a database filled by `npm run scale-data`. Milliseconds from the request to the complete answer, on this machine.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { Pool } from 'undici'
import type { ImpactFigure } from '../shared/contract/policy-impact.ts'
import { questions, questionsOfPart } from './back-office.questions.ts'
import type { ListRequest, Question } from './back-office.types.ts'
import { createVisitor, enterPortal, expect, logIn, type Visitor } from './client.ts'
import { percentile } from './measure.ts'
import { ADMINISTRATOR, startSite } from './site.ts'

const { values: options } = parseArgs({
  options: { database: { type: 'string' }, only: { type: 'string', default: '' }, json: { type: 'string' } },
})

const WARM_UP = 3
async function measure(visitor: Visitor, asked: ListRequest[]): Promise<{ times: number[]; note: string }> {
  const times: number[] = []
  let note = ''
  for (const [at, { path, query, body }] of [...asked.slice(0, WARM_UP), ...asked].entries()) {
    const from = performance.now()
    const answer = await visitor.call(path, query, body)
    const took = performance.now() - from
    expect(answer.status === 200, path, answer)
    if (at >= WARM_UP) times.push(took)
    if (body) note = reachOf(answer.body)
  }
  return { times: times.sort((a, b) => a - b), note }
}

/** The figures of an impact, and how far back it looked. */
function reachOf(answer: string): string {
  const { figures } = (JSON.parse(answer) as { data: { figures: ImpactFigure[] } }).data
  return figures
    .map(({ key, count, isAtLeast, lookedBackTo }) => {
      const days = lookedBackTo ? `, ${((Date.now() - Date.parse(lookedBackTo)) / 86_400_000).toFixed(1)} days` : ''
      return `${key} ${isAtLeast ? '≥ ' : ''}${count}${days}`
    })
    .join('; ')
}

/** Appoints people as administrators of organisations, without touching anything else. */
async function appoint(sql: postgres.Sql, administers: Record<string, string>): Promise<void> {
  await sql`delete from appointments a using users u where u.id = a.user_id and u.account = any(${Object.keys(administers)})`
  for (const [account, code] of Object.entries(administers)) {
    await sql`
      insert into appointments (id, user_id, organization_id, permissions, created_at, updated_at)
      select gen_random_uuid(), u.id, o.id, '{edit}', now(), now() from users u, organizations o
      where u.account = ${account} and o.code = ${code}`
  }
}

/** The role with the most members. */
async function largestRole(sql: postgres.Sql): Promise<string> {
  const [role] = await sql<{ id: string }[]>`
    select role_id as id from role_members group by role_id order by count(*) desc limit 1`
  if (!role) throw new Error('nobody has a role: was this database filled by scale-data?')
  return role.id
}

async function main(): Promise<void> {
  if (!options.database) throw new Error('--database names a database that scale-data has filled')
  const site = await startSite(options.database)
  const pool = new Pool(site.url, { connections: 1 })
  const sql = postgres(options.database, { max: 1, onnotice: () => {} })
  const rows: { name: string; calls: number; p50: number; p95: number; most: number; budget: number; note: string }[] =
    []
  const enter = async (account: string): Promise<Visitor> => {
    const visitor = createVisitor(pool, site.url, account)
    await logIn(visitor)
    await enterPortal(visitor, site.url)
    return visitor
  }
  try {
    const administrator = await enter(ADMINISTRATOR)
    const [ofFaculty = '', ofAll = ''] = site.accounts
    await appoint(sql, { [ofFaculty]: 'faculty-1', [ofAll]: 'university' })
    const roleId = await largestRole(sql)
    const asked: [Visitor, Question[]][] = [
      [administrator, await questions(administrator)],
      [await enter(ofFaculty), questionsOfPart('a faculty', roleId)],
      [await enter(ofAll), questionsOfPart('everything', roleId)],
    ]
    console.log('                                                             calls   p50 ms   p95 ms  most ms  budget')
    for (const [visitor, { name, budget, ask }] of asked.flatMap(([who, all]) =>
      all.map((one) => [who, one] as const),
    )) {
      if (!name.includes(options.only)) continue
      const { times, note } = await measure(visitor, ask)
      const row = {
        name,
        calls: times.length,
        p50: percentile(times, 0.5),
        p95: percentile(times, 0.95),
        most: times.at(-1) ?? 0,
        budget,
        note,
      }
      rows.push(row)
      const figures = [row.p50, row.p95, row.most].map((value) => value.toFixed(1).padStart(8))
      console.log(
        `${name.padEnd(58)} ${String(row.calls).padStart(7)} ${figures.join(' ')} ${String(budget).padStart(7)}${row.p95 > budget ? '  over' : ''}${note && `  ${note}`}`,
      )
    }
  } finally {
    await sql.end()
    await pool.close()
    await site.stop()
  }
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ at: new Date().toISOString(), rows }, null, 2)}\n`)
}

await main()
