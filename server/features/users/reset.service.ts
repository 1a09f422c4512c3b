import type { resetUser } from '#shared/contract/user-verbs.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { forgetCodes, issueActivationCode } from '../activation/index.ts'
import { mayManage } from '../administrators/index.ts'
import { recordAudit } from '../records/index.ts'
import { endSsoSessions } from '../sessions/index.ts'
import { wouldLeaveNobody } from './super-users.ts'
import { errors } from './users.errors.ts'
import { forgetFailures, lockTargets, takeCredentials } from './verbs.store.ts'

type Reset = Input<typeof resetUser>['body']

/**
 * Starts a person over: every way in is gone with the commit, sessions end, and whoever gets the one-time code sets the account up
 * anew. No administrator ever chooses or sees a password.
 * @throws Refusal `user.not-found`, `user.is-self`, `user.last-super-user`.
 */
export async function resetPerson(ctx: Context, id: string, reset: Reset): Promise<Output<typeof resetUser>> {
  return await transaction(ctx, async (inner) => {
    const [target] = await lockTargets(inner.db, [id], mayManage(inner, 'reset'), inner.now())
    if (!target?.mayManage || target.deletedAt) throw errors['user.not-found']()
    if (id === callerOf(ctx).userId) throw errors['user.is-self']()
    if (target.isSuperUser && (await wouldLeaveNobody(inner.db, [id], inner.now())))
      throw errors['user.last-super-user']()
    await takeCredentials(inner.db, id, inner.now())
    await forgetFailures(inner.db, [id])
    await forgetCodes(inner.db, [id])
    await endSsoSessions(inner, { userIds: [id] }, 'account')
    const { code, expiresAt } = await issueActivationCode(inner, id)
    const { reason } = reset
    await recordAudit(inner, {
      action: 'account.reset',
      targetKind: 'user',
      targetId: id,
      before: { account: target.account, activated: true },
      after: { account: target.account, activated: false },
      ...(reason && { reason }),
    })
    return { code, expiresAt: expiresAt.toISOString() }
  })
}
