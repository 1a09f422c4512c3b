import type { Context } from '../../platform/platform.ts'
import { notifyPerson } from '../messages/index.ts'
import type { PlannedRow } from './save-users-plan.rules.ts'

const CONTACT_FIELDS = ['phone', 'mailbox'] as const

/**
 * Sends a notice before a bound phone or mailbox is replaced or removed, because whoever gets the next codes gets the account. People who
 * have not activated yet get none.
 */
export async function notifyContactChanges(ctx: Context, rows: readonly PlannedRow[]): Promise<void> {
  const changes = rows.flatMap(({ id, existing, changed }) =>
    CONTACT_FIELDS.filter((kind) => changed.includes(kind) && existing?.values[kind]).map((kind) => ({ id, kind })),
  )
  if (changes.length === 0) return
  const active = await ctx.db<{ id: string }[]>`
    select id from users where id = any(${changes.map(({ id }) => id)}::uuid[]) and activated`
  const ids = new Set(active.map(({ id }) => id))
  for (const { id, kind } of changes.filter((one) => ids.has(one.id))) {
    await notifyPerson(ctx, { userId: id, template: `notice.${kind}-changed` })
  }
}
