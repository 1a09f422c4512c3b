/**
 * How long the back office takes at the size of a large institution, one call after the other:
 *   npm run bench:back-office -- --database postgres://… [--only word] [--json file]
 * on a database that `npm run scale-data` has filled. Milliseconds from the request to the whole answer, on this machine.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { type Asked, questions } from './back-office.questions.ts'
import { createVisitor, enterPortal, expect, logIn, type Visitor } from './client.ts'
import { percentile } from './measure.ts'
import { ADMINISTRATOR, startSite } from './site.ts'

const { values: options } = parseArgs({
  options: { database: { type: 'string' }, only: { type: 'string', default: '' }, json: { type: 'string' } },
})

const WARM_UP = 3
async function measure(visitor: Visitor, asked: Asked[]): Promise<number[]> {
  const times: number[] = []
  for (const [at, { path, query }] of [...asked.slice(0, WARM_UP), ...asked].entries()) {
    const from = performance.now()
    const answer = await visitor.call(path, query)
    const took = performance.now() - from
    expect(answer.status === 200, path, answer)
    if (at >= WARM_UP) times.push(took)
  }
  return times.sort((a, b) => a - b)
}

async function main(): Promise<void> {
  if (!options.database) throw new Error('--database names a database that scale-data has filled')
  const site = await startSite(options.database)
  const pool = new Pool(site.url, { connections: 1 })
  const rows: { name: string; calls: number; p50: number; p95: number; most: number; budget: number }[] = []
  try {
    const visitor = createVisitor(pool, site.url, ADMINISTRATOR)
    await logIn(visitor)
    await enterPortal(visitor, site.url)
    console.log('                                                             calls   p50 ms   p95 ms  most ms  budget')
    for (const { name, budget, ask } of await questions(visitor)) {
      if (!name.includes(options.only)) continue
      const times = await measure(visitor, ask)
      const row = {
        name,
        calls: times.length,
        p50: percentile(times, 0.5),
        p95: percentile(times, 0.95),
        most: times.at(-1) ?? 0,
        budget,
      }
      rows.push(row)
      const figures = [row.p50, row.p95, row.most].map((value) => value.toFixed(1).padStart(8))
      console.log(
        `${name.padEnd(58)} ${String(row.calls).padStart(7)} ${figures.join(' ')} ${String(budget).padStart(7)}${row.p95 > budget ? '  over' : ''}`,
      )
    }
  } finally {
    await pool.close()
    await site.stop()
  }
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ at: new Date().toISOString(), rows }, null, 2)}\n`)
}

await main()
