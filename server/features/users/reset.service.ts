import type { resetUser } from '#shared/contract/user-verbs.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { CODE_DAYS, forgetCodes, issueActivationCode } from '../activation/index.ts'
import { mayManage } from '../administrators/index.ts'
import { sendMessage } from '../messages/index.ts'
import { recordAudit } from '../records/index.ts'
import { endSsoSessions } from '../sessions/index.ts'
import { type Channel, masked, settledAddress } from './reset.ways.ts'
import { wouldLeaveNobody } from './super-users.ts'
import { errors } from './users.errors.ts'
import { forgetFailures, lockTargets, type Target, takeCredentials } from './verbs.store.ts'

type Reset = Input<typeof resetUser>['body']

/**
 * Starts a person over: every way in is gone with the commit, sessions end, and whoever gets the one-time code sets the account up
 * anew. No administrator ever chooses or sees a password, and none sees a code that is sent.
 * @throws Refusal `user.not-found`, `user.is-self`, `user.last-super-user`, and of `settledAddress` and `sendMessage`.
 */
export async function resetPerson(
  ctx: Context,
  id: string,
  { reason, send }: Reset,
): Promise<Output<typeof resetUser>> {
  return await transaction(ctx, async (inner) => {
    const target = await resettable(inner, id)
    const way = send ? { channel: send, to: await settledAddress(inner, id, send) } : null
    await takeCredentials(inner.db, id, inner.now())
    await forgetFailures(inner.db, [id])
    await forgetCodes(inner.db, [id])
    await endSsoSessions(inner, { userIds: [id] }, 'account')
    const { code, expiresAt } = await issueActivationCode(inner, id)
    const sentTo = way && (await sendLink(inner, target, way, code))
    await recordAudit(inner, {
      action: 'account.reset',
      targetKind: 'user',
      targetId: id,
      before: { account: target.account, activated: true },
      after: { account: target.account, activated: false, ...(sentTo && { sentTo }) },
      ...(reason && { reason }),
    })
    return { code: sentTo ? null : code, expiresAt: expiresAt.toISOString(), sentTo }
  })
}

/** Holds the person for the rest of the transaction. */
async function resettable(ctx: Context, id: string): Promise<Target> {
  const [target] = await lockTargets(ctx.db, [id], mayManage(ctx, 'reset'), ctx.now())
  if (!target?.mayManage || target.deletedAt) throw errors['user.not-found']()
  if (id === callerOf(ctx).userId) throw errors['user.is-self']()
  if (target.isSuperUser && (await wouldLeaveNobody(ctx.db, [id], ctx.now()))) throw errors['user.last-super-user']()
  return target
}

/** @returns the address, masked. */
async function sendLink(
  ctx: Context,
  { id, name, account }: Target,
  { channel, to }: { channel: Channel; to: string },
  code: string,
): Promise<string> {
  // From the configuration alone: a request's Host header is whatever its sender wrote.
  const link = `${ctx.config.publicUrl}/auth_web/activation?code=${code}`
  const { language } = ctx.client
  const params = { name, account, link, days: CODE_DAYS }
  await sendMessage(ctx, { template: 'link.account-reset', channel, to, userId: id, language, params })
  return masked(channel, to)
}
