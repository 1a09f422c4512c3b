import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { writeRules } from './access-rules.ts'
import { median } from './compare-times.ts'
import { type Floor, floors, startFloor } from './floors.ts'
import { type Figures, measure } from './measure.ts'
import type { Scenario } from './scenario.types.ts'
import { scenarios } from './scenarios.ts'
import { type Site, startSite } from './site.ts'

const RATIOS_FILE = fileURLToPath(new URL('ratios.json', import.meta.url))
/** The factor by which a ratio may exceed the kept one. */
const TOLERANCE = 1.15
const CONCURRENCY = 8
const ROUNDS = 7
const SECONDS = 1
const WARM_UP_SECONDS = 2
/** A high ratio is judged again with as many rounds more: interference by other processes passes, an added cost stays. */
const MAX_TRIES = 3

type Server = { url: string; pid: number | null; stop(): Promise<void> }
type Operation = (worker: number) => Promise<void>
type Subject = { operation: Operation; pool: Pool; pid: number | null }

/** CPU per operation in ms. */
async function takeRound(subject: Subject): Promise<number> {
  const { cpuMs, errors, firstError }: Figures = await measure(subject.operation, CONCURRENCY, SECONDS, subject.pid)
  if (errors > 0) throw new Error(`an operation failed: ${firstError}`)
  if (cpuMs === null) throw new Error('the CPU time of a server can be read on Linux only')
  return cpuMs
}

async function prepare(server: Server, make: (pool: Pool) => Promise<Operation>): Promise<Subject> {
  const pool = new Pool(server.url, { connections: CONCURRENCY })
  const subject = { operation: await make(pool), pool, pid: server.pid }
  await measure(subject.operation, CONCURRENCY, WARM_UP_SECONDS, null)
  return subject
}

/**
 * Alternates product and floor and compares each round with its neighbour: a shared machine is up to half faster in one
 * second than in another, so that the quickest rounds of the two may come from different conditions.
 * @param ratios of the former rounds, to which those of these rounds are added
 * @returns the median of all
 */
async function takeRatio(product: Subject, bare: Subject, ratios: number[]): Promise<number> {
  for (let round = 0; round < ROUNDS; round++) {
    const floor = await takeRound(bare)
    ratios.push((await takeRound(product)) / floor)
  }
  return median(ratios)
}

type Pairing = { scenario: Scenario; floor: Floor; site: Server & Site; server: Server }

/** @param limit a ratio above it is measured again */
async function measureScenario({ scenario, floor, site, server }: Pairing, limit: number): Promise<number> {
  const bare = await prepare(server, (pool) => floor.prepare(pool, server.url, CONCURRENCY))
  const product = await prepare(site, (pool) => scenario.prepare(site, pool, CONCURRENCY))
  const ratios: number[] = []
  let ratio = await takeRatio(product, bare, ratios)
  for (let tries = 1; ratio > limit && tries < MAX_TRIES; tries++) ratio = await takeRatio(product, bare, ratios)
  await Promise.all([bare.pool.close(), product.pool.close()])
  return ratio
}

/** The ratio of each scenario to its floor, reported as it is measured. */
async function measureRatios(
  wanted: Scenario[],
  limits: Record<string, number>,
  rules: boolean,
): Promise<Record<string, number>> {
  const ratios: Record<string, number> = {}
  const site = await startSite()
  if (rules) await writeRules(site)
  const servers = new Map<Floor['script'], Server>()
  try {
    for (const scenario of wanted) {
      const floor = floors.find(({ name }) => name === scenario.floor) as Floor
      const server = servers.get(floor.script) ?? (await startFloor(floor.script))
      servers.set(floor.script, server)
      const limit = limits[scenario.name] ?? Number.POSITIVE_INFINITY
      const ratio = await measureScenario({ scenario, floor, site, server }, limit)
      const verdict = ratio > limit ? ': TOO HIGH' : ''
      console.log(
        `${scenario.name.padEnd(46)} ${ratio.toFixed(2).padStart(7)} × the floor, at most ${limit.toFixed(2)}${verdict}`,
      )
      ratios[scenario.name] = Number(ratio.toFixed(2))
    }
  } finally {
    for (const server of [site, ...servers.values()]) await server.stop()
  }
  return ratios
}

/**
 * Measures the ratio of each scenario to its floor and compares it with the kept one.
 * @param rules with access rules enabled that match nobody
 * @param keep store the measured ratios
 * @returns whether all are within the limit
 */
export async function passGate({
  only,
  keep,
  rules,
}: {
  only: string
  keep: boolean
  rules: boolean
}): Promise<boolean> {
  const kept = JSON.parse(readFileSync(RATIOS_FILE, 'utf8')) as Record<string, number>
  const wanted = scenarios.filter(({ name, floor }) => floor !== undefined && name.includes(only))
  const limits = Object.fromEntries(Object.entries(keep ? {} : kept).map(([name, ratio]) => [name, ratio * TOLERANCE]))
  const ratios = await measureRatios(wanted, limits, rules)
  if (keep) writeFileSync(RATIOS_FILE, `${JSON.stringify({ ...kept, ...ratios }, null, 2)}\n`)
  return wanted.every(({ name }) => (ratios[name] ?? 0) <= (limits[name] ?? Number.POSITIVE_INFINITY))
}
