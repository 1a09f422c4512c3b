/**
 * The load benchmark behind the figures of docs/performance.md:
 *   npm run bench -- [--url http://127.0.0.1:8080] [--database postgres://…] [--seconds 10] [--concurrency 1,8,32]
 *     [--only word] [--floor] [--json file]
 * Without --url it starts a server, with its own embedded database unless --database names one (such as one from
 * scale-data). A running server must have been started with the bench content as its bootstrap file: `npm run bench --
 * --content > bench.json`.
 *   npm run bench -- --gate [--only word] [--keep]
 * measures only the ratios to the floors, in some four minutes, and fails when one is 15 % above that of ratios.json;
 * --keep writes them there. --rules, with either: enables access rules that use every condition and match nobody.
 */
import { writeFileSync } from 'node:fs'
import { cpus, release } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { writeRules } from './access-rules.ts'
import { floors, startFloor } from './floors.ts'
import { passGate } from './gate.ts'
import { type Figures, measure } from './measure.ts'
import { measureOverload, OVERLOAD, type Overload, printOverload } from './overload.ts'
import { processTree, usageOf } from './processes.ts'
import type { Scenario } from './scenario.types.ts'
import { scenarios } from './scenarios.ts'
import { benchContent, runningSite, startSite } from './site.ts'

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    database: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    concurrency: { type: 'string', default: '1,8,32' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    floor: { type: 'boolean', default: false },
    content: { type: 'boolean', default: false },
    gate: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    rules: { type: 'boolean', default: false },
  },
})

type Row = { scenario: string; concurrency: number; budgetMs: number | null } & Figures

const seconds = Number(options.seconds)
const levels = options.concurrency.split(',').map(Number)
const WARM_UP_SECONDS = Math.min(2, seconds / 4)

const number = (value: number | null, digits: number) => (value === null ? '–' : value.toFixed(digits))

function printRow(row: Row): void {
  const cells = [
    row.scenario.padEnd(46),
    String(row.concurrency).padStart(4),
    number(row.perSecond, 0).padStart(8),
    number(row.p50, 1).padStart(8),
    number(row.p95, 1).padStart(8),
    number(row.p99, 1).padStart(8),
    number(row.cpuMs, 2).padStart(9),
    number(row.budgetMs, 2).padStart(8),
    number(row.generatorCpuMs, 2).padStart(8),
    number(row.rssMb, 0).padStart(7),
    String(row.errors).padStart(7),
  ]
  console.log(cells.join(' '))
  if (row.firstError) console.log(`    first error: ${row.firstError}`)
}

async function runFloors(wanted: Scenario[]): Promise<Row[]> {
  const rows: Row[] = []
  const used = floors.filter(({ name }) => wanted.some(({ floor }) => floor === name))
  for (const script of new Set(used.map((floor) => floor.script))) {
    const server = await startFloor(script)
    try {
      for (const floor of used.filter((one) => one.script === script)) {
        for (const concurrency of levels) {
          const pool = new Pool(server.url, { connections: concurrency })
          const operation = await floor.prepare(pool, server.url, concurrency)
          await measure(operation, concurrency, WARM_UP_SECONDS, null)
          const figures = await measure(operation, concurrency, seconds, server.pid)
          rows.push({ scenario: floor.name, concurrency, budgetMs: null, ...figures })
          printRow(rows.at(-1) as Row)
          await pool.close()
        }
      }
    } finally {
      await server.stop()
    }
  }
  return rows
}

function printRatios(wanted: Scenario[], rows: Row[], bare: Row[]): void {
  for (const { name, floor } of wanted) {
    for (const row of rows.filter(({ scenario }) => scenario === name)) {
      const below = bare.find((one) => one.scenario === floor && one.concurrency === row.concurrency)
      if (!below?.cpuMs || !row.cpuMs) continue
      const ratio = (row.cpuMs / below.cpuMs).toFixed(1)
      console.log(`${name.padEnd(46)} ${String(row.concurrency).padStart(4)} ${ratio.padStart(8)} × the floor`)
    }
  }
}

const IDLE_MS = 30_000

/** PSS of all processes of a server that has served its first page and then nothing for half a minute, in MB. */
async function measureIdleMemory(pid: number): Promise<number | null> {
  await pause(IDLE_MS)
  return usageOf(processTree(pid)).pssMb
}

async function runScenarios(
  wanted: Scenario[],
): Promise<{ rows: Row[]; overload: Overload | null; coldStartMs: number | null; idlePssMb: number | null }> {
  const site = options.url ? runningSite(options.url) : await startSite(options.database)
  if (options.rules) await writeRules(site)
  const idlePssMb = site.pid === null ? null : await measureIdleMemory(site.pid)
  console.log(
    `cold start to the first login page: ${number(site.coldStartMs, 0)} ms, memory idle (PSS, all processes): ${number(idlePssMb, 0)} MB\n`,
  )
  const rows: Row[] = []
  let overload: Overload | null = null
  try {
    for (const scenario of wanted) {
      for (const concurrency of levels) {
        const pool = new Pool(site.url, { connections: concurrency })
        const operation = await scenario.prepare(site, pool, concurrency)
        await measure(operation, concurrency, WARM_UP_SECONDS, null)
        const figures = await measure(operation, concurrency, seconds, site.pid)
        rows.push({ scenario: scenario.name, concurrency, budgetMs: scenario.budgetMs, ...figures })
        printRow(rows.at(-1) as Row)
        await pool.close()
      }
    }
    if (OVERLOAD.includes(options.only)) {
      overload = await measureOverload(site, seconds)
      printOverload(overload)
    }
  } finally {
    await site.stop()
  }
  return { rows, overload, coldStartMs: site.coldStartMs, idlePssMb }
}

async function main(): Promise<void> {
  if (options.content) return console.log(JSON.stringify(await benchContent(), null, 2))
  if (options.gate) {
    if (!(await passGate(options))) process.exitCode = 1
    return
  }
  const machine = {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    kernel: release(),
    node: process.version,
    at: new Date().toISOString(),
  }
  console.log(`${machine.at} · ${machine.cores} × ${machine.cpu} · Linux ${machine.kernel} · Node ${machine.node}`)
  console.log(
    '                                     concurrency    per s   p50 ms   p95 ms   p99 ms  CPU ms/op   budget  gen. ms  RSS MB  errors',
  )
  const wanted = scenarios.filter(({ name }) => name.includes(options.only))
  const floor = options.floor ? await runFloors(wanted) : []
  const result = await runScenarios(wanted)
  printRatios(wanted, result.rows, floor)
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ machine, floor, ...result }, null, 2)}\n`)
  if ([...result.rows, ...(result.overload ? [result.overload] : [])].some(({ errors }) => errors > 0))
    process.exitCode = 1
}

await main()
