import type { Context } from '../../platform/platform.ts'
import { notifyPerson } from '../messages/index.ts'
import type { Planned } from './save-users.plan.ts'

const KINDS = ['phone', 'mailbox'] as const

/**
 * Before a bound phone or mailbox is replaced or taken away: a notice there, because whoever gets the next codes gets the account. Nobody
 * who has still to activate is bothered.
 */
export async function tellOfContacts(ctx: Context, rows: readonly Planned[]): Promise<void> {
  const concerned = rows.flatMap(({ id, existing, changed }) =>
    KINDS.filter((kind) => changed.includes(kind) && existing?.values[kind]).map((kind) => ({ id, kind })),
  )
  if (concerned.length === 0) return
  const active = await ctx.db<{ id: string }[]>`
    select id from users where id = any(${concerned.map(({ id }) => id)}::uuid[]) and activated`
  const ids = new Set(active.map(({ id }) => id))
  for (const { id, kind } of concerned.filter((one) => ids.has(one.id))) {
    await notifyPerson(ctx, { userId: id, template: `notice.${kind}-changed` })
  }
}
