import { errors } from '../errors.ts'
import type { Context } from '../platform.ts'

/** Failures per address, minute and node: more than any working application causes, too few to keep a node busy. */
const MAX_FAILURES = 600
const WINDOW_MS = 60_000
const MAX_ADDRESSES = 10_000

type Window = { failures: number; endsAt: number }

/** By the server's database object, so that two servers in one process (tests) count separately. */
const windows = new WeakMap<object, Map<string, Window>>()

const windowsOf = ({ sql }: Context): Map<string, Window> => {
  const known = windows.get(sql) ?? new Map<string, Window>()
  windows.set(sql, known)
  return known
}

/**
 * Call before looking at tickets, codes and tokens that nobody has proved to own.
 * @throws Refusal `request.too-many` if this address presented too many wrong ones; costs no database lookup.
 */
export function rateLimitFailures(ctx: Context): void {
  const window = windowsOf(ctx).get(ctx.client.ip)
  const now = ctx.now().getTime()
  if (!window || window.endsAt <= now || window.failures < MAX_FAILURES) return
  throw errors['request.too-many']({ retryAfter: Math.ceil((window.endsAt - now) / 1000) })
}

/** Counts a wrong one. Kept on this node only: guessing is hopeless anyway, this keeps it cheap. */
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
