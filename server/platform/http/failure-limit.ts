import { errors } from '../errors.ts'
import type { Context } from '../platform.ts'

/** Failures of one address within a minute on this node: more than any working application makes, too few to keep a node busy. */
const MAX_FAILURES = 600
const WINDOW_MS = 60_000
const MAX_ADDRESSES = 10_000

type Window = { failures: number; endsAt: number }

/** By the address of the server's database, so that two servers in one process (tests) have a memory each. */
const windows = new WeakMap<object, Map<string, Window>>()

const windowsOf = ({ sql }: Context): Map<string, Window> => {
  const known = windows.get(sql) ?? new Map<string, Window>()
  windows.set(sql, known)
  return known
}

/**
 * Before tickets, codes and tokens are looked at that nobody proved to own.
 * @throws Refusal `request.too-many` when this address presented too many wrong ones: it costs no look into the database.
 */
export function rateLimitFailures(ctx: Context): void {
  const window = windowsOf(ctx).get(ctx.client.ip)
  const now = ctx.now().getTime()
  if (!window || window.endsAt <= now || window.failures < MAX_FAILURES) return
  throw errors['request.too-many']({ retryAfter: Math.ceil((window.endsAt - now) / 1000) })
}

/** Counts one that was wrong. Kept on this node only: guessing is hopeless anyway, this keeps it cheap. */
export function countClientFailure(ctx: Context): void {
  const known = windowsOf(ctx)
  const { ip } = ctx.client
  const now = ctx.now().getTime()
  const window = known.get(ip)
  if (window && window.endsAt > now) {
    window.failures += 1
    return
  }
  if (known.size >= MAX_ADDRESSES) known.clear()
  known.set(ip, { failures: 1, endsAt: now + WINDOW_MS })
}
