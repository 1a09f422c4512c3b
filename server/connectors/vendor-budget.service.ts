import { HOUR_MS, MINUTE_MS } from '#shared/rules/durations.ts'
import type { CallBounds } from './call-provider.service.ts'
import { type ConnectorContext, ConnectorFault } from './connector.types.ts'
import { callAsApp, type FaultCodes, isVendorCode, type VendorApp, type VendorCall } from './vendor-call.service.ts'

/** A department's people arrive in one answer, and nobody waits for it in front of a page. */
export const BOOK_BOUNDS: CallBounds = { timeoutMs: 30_000, maxResponseBytes: 32 * 1024 * 1024 }

/** The rate limit for calls to a vendor. */
type Budget = { perMinute: number; perHour: number }

/** An application whose calls are counted, whatever their purpose. */
export type PacedApp = VendorApp & { budget: Budget }

type Spent = { begun: number; count: number }
type Account = { minute: Spent; hour: Spent; blockedUntil: number }

/** What each node has used, by its shared state, per application at a vendor. */
const accountsByNode = new WeakMap<ConnectorContext['state'], Map<string, Account>>()
const MAX_ACCOUNTS = 200

function accountOf({ state }: ConnectorContext, key: string): Account {
  const accounts = accountsByNode.get(state) ?? new Map<string, Account>()
  accountsByNode.set(state, accounts)
  const account = accounts.get(key) ?? {
    minute: { begun: 0, count: 0 },
    hour: { begun: 0, count: 0 },
    blockedUntil: 0,
  }
  if (accounts.size >= MAX_ACCOUNTS) accounts.delete(accounts.keys().next().value ?? key)
  accounts.set(key, account)
  return account
}

/** For how long a window of `ms` allows no call; takes one call if it allows it. */
function pause(spent: Spent, now: number, ms: number, most: number): number {
  if (now - spent.begun >= ms) Object.assign(spent, { begun: now, count: 0 })
  return spent.count >= most ? spent.begun + ms - now : 0
}

const MAX_BLOCKS = 10
const READ_TRIES = 3

type Pace = {
  /** A write, or a read that somebody waits for: not retried when lost. */
  isOnce: boolean
  /** Waits this many milliseconds. @throws what ends the work meanwhile. */
  wait(ms: number): Promise<unknown>
}

/**
 * Makes a call as an application, within its rate limit.
 * @throws ConnectorFault
 */
export const callPaced = (
  context: ConnectorContext,
  app: PacedApp,
  call: Omit<VendorCall, 'host'>,
  pace: Pace,
): Promise<Record<string, unknown>> => {
  const { host, application, budget, answers } = app
  return withinBudget(context, { key: `${host} ${application}`, budget, codes: answers.codes }, pace, () =>
    callAsApp(context, app, call),
  )
}

/** Whose calls are counted, and which of its codes mean that they were too many. */
type Budgeted = { key: string; budget: Budget; codes: FaultCodes }

/**
 * Makes a call within a rate limit. If the vendor reports too many calls, waits a minute, which is how long its block
 * lasts. A lost read is retried; a write is not, because it may have arrived.
 * @throws ConnectorFault
 */
export async function withinBudget<T>(
  context: ConnectorContext,
  { key, budget, codes }: Budgeted,
  { isOnce, wait }: Pace,
  call: () => Promise<T>,
): Promise<T> {
  const account = accountOf(context, key)
  const tally = { tries: 0, blocks: 0 }
  for (;;) {
    await takeFromBudget(context, account, budget, wait)
    try {
      return await call()
    } catch (error) {
      const ms = pauseAfter(error, codes, isOnce, tally)
      if (ms === null) throw error
      // Other calls of this node need not try either.
      if (ms === MINUTE_MS) account.blockedUntil = context.now().getTime() + ms
      await wait(ms)
    }
  }
}

/** After how many milliseconds a call is retried; null: it is not. */
function pauseAfter(
  error: unknown,
  codes: FaultCodes,
  isOnce: boolean,
  tally: { tries: number; blocks: number },
): number | null {
  if (isVendorCode(error, codes['too-many'] ?? [])) return ++tally.blocks > MAX_BLOCKS ? null : MINUTE_MS
  if (isOnce || !isLost(error) || ++tally.tries >= READ_TRIES) return null
  return 1000 * 2 ** tally.tries
}

const isLost = (error: unknown): boolean => error instanceof ConnectorFault && error.reason === 'unavailable'

/** Waits until a call is allowed, and takes it from the budget. */
async function takeFromBudget(context: ConnectorContext, account: Account, budget: Budget, wait: Pace['wait']) {
  for (;;) {
    const now = context.now().getTime()
    const { minute, hour, blockedUntil } = account
    const ms = Math.max(
      blockedUntil - now,
      pause(minute, now, MINUTE_MS, budget.perMinute),
      pause(hour, now, HOUR_MS, budget.perHour),
    )
    if (ms <= 0) break
    await wait(ms)
  }
  account.minute.count += 1
  account.hour.count += 1
}
