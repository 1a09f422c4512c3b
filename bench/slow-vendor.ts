/**
 * Whether people who log in by password notice that others wait for a vendor:
 *   npm run bench:slow-vendor -- [--rounds 6] [--seconds 20] [--logins 4] [--waiting 50] [--database postgres://…]
 * In turn nobody comes by the vendor, `--waiting` people wait for one that never answers, and as many trips a second end at once
 * because the vendor refuses them: what the last costs is the trips themselves. Nobody comes twice a round, so that two equal blocks
 * tell the noise. Blocks of one kind are put together over all rounds.
 */
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { startSimulator, VENDORS } from '../tools/simulators/index.ts'
import { startBackgroundLogins } from './background-logins.ts'
import { createVisitor, type Visitor } from './client.ts'
import { percentile } from './measure.ts'
import { pause } from './measured.ts'
import { type Site, startSite } from './site.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '20' },
    logins: { type: 'string', default: '4' },
    waiting: { type: 'string', default: '50' },
    database: { type: 'string' },
  },
})
const WAITING = Number(options.waiting)
/** For how long the product waits for a vendor. */
const TIMEOUT_MS = 5000

const vendor = await startSimulator(VENDORS.qywx, { trustedOrigin: 'http://not.known.yet' })
const provider = { key: 'qywx', connector: 'qywx', name: 'WeCom', settings: VENDORS.qywx.settings(vendor.url) }
const site = await startSite(options.database, { thirdPartyProviders: [provider] })
vendor.trustedOrigin = site.url

/** Comes back from the vendor, and waits for what the product makes of it. @returns the status. */
async function trip(visitor: Visitor): Promise<number> {
  const { location } = await visitor.get('/auth_service/third_party/qywx/login/')
  const asked = new URL(location)
  asked.searchParams.set('person', 'LiLei')
  const back = await fetch(asked, { redirect: 'manual' })
  await back.arrayBuffer()
  const { pathname, search } = new URL(back.headers.get('location') ?? '')
  const answer = await visitor.get(pathname + search)
  if (!answer.location.startsWith(`${site.url}/fwk_cas_service/`)) return answer.status
  const next = new URL(answer.location)
  return (await visitor.get(next.pathname + next.search)).status
}

/** People who each come again after 5 to 15 seconds, whatever they were told: nobody clicks in step with others. */
function crowd(at: Site): () => Promise<number> {
  const pool = new Pool(at.url, { connections: WAITING * 2, headersTimeout: 60_000 })
  let isOver = false
  let told = 0
  const person = async () => {
    await pause(Math.random() * 2 * TIMEOUT_MS)
    while (!isOver) {
      const next = performance.now() + TIMEOUT_MS * (1 + 2 * Math.random())
      const status = await trip(createVisitor(pool, at.url, ''))
      if (status < 400) throw new Error(`somebody got in: ${status}`)
      told += 1
      while (!isOver && performance.now() < next) await pause(Math.min(250, Math.max(1, next - performance.now())))
    }
  }
  // Whoever comes waits for half of the time at least.
  const people = Array.from({ length: WAITING * 2 }, person)
  return async () => {
    isOver = true
    await Promise.all(people)
    await pool.close()
    return told
  }
}

const KINDS = ['nobody', 'silent vendor', 'nobody again', 'vendor refuses'] as const
const times = new Map<string, number[]>(KINDS.map((kind) => [kind, []]))
const trips = new Map<string, number>()
let failed = 0

async function block(kind: (typeof KINDS)[number], counts: boolean): Promise<void> {
  vendor.trouble = { token: kind === 'silent vendor' ? 'slow' : 'address' }
  const end = kind.startsWith('nobody') ? async () => 0 : crowd(site)
  // Until everybody is there.
  if (!kind.startsWith('nobody')) await pause(TIMEOUT_MS)
  const stop = startBackgroundLogins(site, Number(options.logins))
  await pause(Number(options.seconds) * 1000)
  const meanwhile = await stop()
  const told = await end()
  if (!counts) return
  failed += meanwhile.failed
  if (meanwhile.why)
    process.stderr.write(`${kind}: ${meanwhile.failed} logins failed, the first with ${meanwhile.why}\n`)
  times.get(kind)?.push(...meanwhile.times)
  trips.set(kind, (trips.get(kind) ?? 0) + told)
}

try {
  // What runs for the first time is compiled first.
  for (const kind of KINDS) await block(kind, false)
  for (let round = 0; round < Number(options.rounds); round++) {
    // Another order in every other round, so that what changes with time falls on all.
    for (const kind of round % 2 === 0 ? KINDS : KINDS.toReversed()) await block(kind, true)
    process.stderr.write(`round ${round + 1} of ${options.rounds}\n`)
  }
  console.log('by password while          logins      p50      p90      p99   trips')
  for (const [kind, all] of times) {
    all.sort((a, b) => a - b)
    const figures = [0.5, 0.9, 0.99].map((share) => percentile(all, share).toFixed(0).padStart(8))
    console.log(
      `${kind.padEnd(24)} ${String(all.length).padStart(8)}${figures.join(' ')} ${String(trips.get(kind)).padStart(7)}`,
    )
  }
  if (failed > 0) console.log(`${failed} logins failed`)
} finally {
  await site.stop()
  await vendor.close()
}
