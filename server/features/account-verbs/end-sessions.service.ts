import type { endUserSessions } from '#shared/contract/user-verbs.ts'
import type { Output } from '../../platform/http/mount.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { mayManage } from '../access/index.ts'
import { recordAudit } from '../records/index.ts'
import { endSsoSessions } from '../sessions/index.ts'
import { userErrors as errors } from '../user-accounts/index.ts'
import { listOpenSessionIds } from './verbs.store.ts'

/**
 * Ends some or all logins of a person; not the one behind this request.
 * @throws Refusal `user.not-found` for a person whom the caller may not change, `session.is-current` if that one is named.
 */
export async function endPersonSessions(
  ctx: Context,
  id: string,
  ids: string[] | undefined,
): Promise<Output<typeof endUserSessions>> {
  const { ssoSessionId } = callerOf(ctx)
  if (ids?.includes(ssoSessionId)) throw errors['user.is-self']()
  return await transaction(ctx, async (inner) => {
    const { db } = inner
    const [person] = await db<{ account: string }[]>`
      select u.account from users u where u.id = ${id} and u.deleted_at is null and ${mayManage(inner, 'edit')}`
    if (!person) throw errors['user.not-found']()
    const open = (await listOpenSessionIds(db, id, ids)).filter((one) => one !== ssoSessionId)
    const endedIds = await endSsoSessions(inner, { ids: open }, 'kicked-out')
    const ended = endedIds.length
    const line = { action: 'session.kick-out', targetKind: 'user', targetId: id, before: person, after: { ended } }
    if (ended > 0) await recordAudit(inner, line)
    return { ended, ids: endedIds }
  })
}
