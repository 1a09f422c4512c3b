import type { Context } from '../../platform/platform.ts'
import { type AccessGains, findAccessGains, type MembershipChange } from './access-gains.store.ts'

/**
 * What somebody would gain on each of these ways, in the order of the ways. Whoever lets a person come to an application or a role
 * has to have the power to grant it there; every call that files people somewhere, or moves where they are filed, asks here first.
 */
export async function listAccessGains(ctx: Context, ways: readonly MembershipChange[]): Promise<AccessGains[]> {
  // Of thousands in a file most come to the same.
  const keys = ways.map(({ by, without }) => JSON.stringify([by, without]))
  const different = new Map(keys.map((key, at) => [key, ways[at] as MembershipChange]))
  const asked = { language: ctx.client.language, now: ctx.now() }
  const things = await findAccessGains(ctx.db, [...different.values()], asked)
  const found = new Map([...different.keys()].map((key, at) => [key, things[at]]))
  return keys.map((key) => found.get(key) ?? { names: [], total: 0 })
}

/** The names, and that there are more of them. */
export const formatAccessGains = (ctx: Context, { names, total }: AccessGains): string =>
  names.join(ctx.translate(ctx.client.language, 'list.separator')) + (total > names.length ? ' …' : '')
