import type { Unbound } from '#shared/contract/created-people.ts'
import type { VendorCheck, VendorKey } from '#shared/contract/vendors.ts'
import { ConnectorFault, UnclearAnswer } from '../../connectors/index.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import { networkCode, networkProblem } from '../../platform/network-problem.ts'
import type { Context } from '../../platform/platform.ts'
import { findEcho } from '../source-events/index.ts'
import { startTestLogin } from '../third-party-accounts/index.ts'
import { callbackUrl, type MatchBy } from '../third-party-providers/index.ts'
import { errors } from './vendors.errors.ts'
import { connectorName, connectorOf, resolveSecrets } from './vendors.service.ts'

type Step = VendorCheck['steps'][number]

/** Checks in ten minutes, over everybody: vendors count calls with a wrong secret, and stop answering. */
const MAX_CHECKS = 30
const WINDOW_SECONDS = 600
/** For a whole check; a person waits for it. */
const MAX_MS = 9_000
const HOST_MS = 4_000
/** Signatures and tokens of vendors tolerate a few minutes. */
const MAX_SKEW_MS = 300_000

/** Once one of these has failed, the others are meaningless. */
const WITHOUT_WHICH_NOTHING: readonly Step['step'][] = ['host', 'addresses', 'secret', 'application']

/** What must be right at another system, in this order. */
type Checks = readonly { step: Step['step']; run(): Promise<void> }[]

/** @throws Refusal `settings.secret-needed`, `vendor.too-many-checks`. */
export async function checkVendor(ctx: Context, key: VendorKey, given: object): Promise<VendorCheck> {
  const settings = await resolveSecrets(ctx, key, given)
  const { checks = [], host } = connectorOf(key).open(ctx, settings)
  const steps = checks.map(({ step, run }) => ({ step, run: () => run(callbackUrl(ctx, key)) }))
  return await runChecks(ctx, { name: key, host, checks: [...steps, ...eventChecks(ctx, key, settings)] })
}

/** Data sources of the same corporation or application, which the vendor tells of changes. */
const EVENT_SOURCES: Partial<Record<VendorKey, readonly [kind: string, setting: string]>> = {
  qywx: ['wecom', 'corpId'],
  dingding: ['dingtalk', 'clientId'],
}

/** Has the vendor ever tried the address that it tells of changes? Nothing is asked there. */
function eventChecks(ctx: Context, key: VendorKey, settings: Readonly<Record<string, unknown>>): Checks {
  const [kind, setting] = EVENT_SOURCES[key] ?? []
  if (!kind || !setting) return []
  const run = async () => {
    const echo = await findEcho(ctx.db, kind, String(settings[setting]))
    if (!echo) throw new UnclearAnswer('misconfigured', 'events: none', 'no-events')
    if (!echo.echoedAt) throw new ConnectorFault('misconfigured', 'events: no echo', 'no-echo')
  }
  return [{ step: 'events', run }]
}

/**
 * Tests settings step by step. A problem at the other system is part of the result, not an error; if an essential step fails, the others
 * are skipped.
 * @param which `name`: used in the log
 * @throws Refusal `vendor.too-many-checks`.
 */
export async function runChecks(
  ctx: Context,
  { name, host, checks }: { name: string; host: string; checks: Checks },
): Promise<VendorCheck> {
  await countCheck(ctx)
  const deadline = timer(MAX_MS)
  const steps = await checkHost(ctx, host)
  for (const { step, run } of checks) {
    const isIdle = steps.some((one) => one.outcome === 'failed' && WITHOUT_WHICH_NOTHING.includes(one.step))
    steps.push(isIdle ? skipped(step) : await runStep(ctx, name, step, () => Promise.race([run(), deadline.late])))
  }
  deadline.stop()
  return { steps }
}

/** @throws Refusal `vendor.too-many-checks` */
async function countCheck(ctx: Context): Promise<void> {
  if ((await ctx.state.increment('vendor-check', '', WINDOW_SECONDS)) > MAX_CHECKS) {
    throw errors['vendor.too-many-checks']({ retryAfter: WINDOW_SECONDS })
  }
}

type TestInput = { unbound: Unbound; matchAccount: boolean; settings: object }

/** A test login with the settings in the form. @throws Refusal `settings.secret-needed`, `vendor.too-many-checks` */
export async function testVendorLogin(
  ctx: Context,
  exchange: Exchange,
  { key, unbound, matchAccount, settings: given }: TestInput & { key: VendorKey },
): Promise<{ redirectUrl: string }> {
  const settings = await resolveSecrets(ctx, key, given)
  await countCheck(ctx)
  const matchBy: MatchBy[] = matchAccount ? ['account'] : []
  const tested = { key, connector: connectorName(key), settings, unbound, matchBy }
  return { redirectUrl: await startTestLogin(ctx, exchange, tested) }
}

const well = (step: Step['step']): Step => ({ step, outcome: 'well', reason: null, code: null })
const skipped = (step: Step['step']): Step => ({ step, outcome: 'skipped', reason: null, code: null })

function timer(ms: number) {
  let stop = () => {}
  const late = new Promise<never>((_, fail) => {
    const clock = setTimeout(() => fail(new ConnectorFault('unavailable', 'check: out of time', null, 'timeout')), ms)
    stop = () => clearTimeout(clock)
  })
  late.catch(() => {})
  return { late, stop: () => stop() }
}

async function runStep(ctx: Context, provider: string, step: Step['step'], run: () => Promise<void>): Promise<Step> {
  try {
    await run()
    return well(step)
  } catch (error) {
    if (!(error instanceof ConnectorFault)) throw error
    const { reason, detail, vendorCode: code, network } = error
    if (error instanceof UnclearAnswer) return { step, outcome: 'skipped', reason: 'unclear', code }
    ctx.log.info({ provider, step, reason, detail }, 'vendor check')
    const isKnown = reason === 'unavailable' || reason === 'unusable' || reason === 'misconfigured'
    return { step, outcome: 'failed', reason: network ?? (isKnown ? reason : 'refused'), code }
  }
}

/** Is the host reachable, and does its clock agree with ours? */
async function checkHost(ctx: Context, host: string): Promise<Step[]> {
  try {
    const answer = await ctx.fetch(host, { redirect: 'manual', signal: AbortSignal.timeout(HOST_MS) })
    await answer.body?.cancel()
    const theirs = Date.parse(answer.headers.get('date') ?? '')
    const isOff = !Number.isNaN(theirs) && Math.abs(theirs - ctx.now().getTime()) > MAX_SKEW_MS
    return [well('host'), isOff ? { step: 'clock', outcome: 'failed', reason: 'clock', code: null } : well('clock')]
  } catch (error) {
    const code = networkCode(error)
    ctx.log.info({ detail: code ?? (error as Error).name }, 'vendor check')
    return [{ step: 'host', outcome: 'failed', reason: networkProblem(error), code }, skipped('clock')]
  }
}
