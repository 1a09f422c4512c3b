import type { Context } from '../../platform/platform.ts'
import { type AccessGains, findAccessGains, type MembershipChange } from './access-gains.store.ts'

/**
 * What a person would gain by each of these changes, in their order. Whoever causes a person to gain an application or a role needs the
 * permission to grant it; every call that assigns people to something, or moves what they are assigned to, asks here first.
 */
export async function listAccessGains(ctx: Context, changes: readonly MembershipChange[]): Promise<AccessGains[]> {
  // Among thousands of rows in a file most are the same change.
  const keys = changes.map(({ by, without }) => JSON.stringify([by, without]))
  const different = new Map(keys.map((key, at) => [key, changes[at] as MembershipChange]))
  const options = { language: ctx.client.language, now: ctx.now() }
  const things = await findAccessGains(ctx.db, [...different.values()], options)
  const found = new Map([...different.keys()].map((key, at) => [key, things[at]]))
  return keys.map((key) => found.get(key) ?? { names: [], total: 0 })
}

/** The names, with an ellipsis if there are more. */
export const formatAccessGains = (ctx: Context, { names, total }: AccessGains): string =>
  names.join(ctx.translate(ctx.client.language, 'list.separator')) + (total > names.length ? ' …' : '')
