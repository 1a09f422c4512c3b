import type { resetUser } from '#shared/contract/user-verbs.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { mayManage } from '../access/index.ts'
import { ACTIVATION_CODE_DAYS, deleteActivationCodes, issueActivationCode } from '../activation/index.ts'
import { deleteCountersOfUsers } from '../attempts/index.ts'
import { sendMessage } from '../messages/index.ts'
import { archivePassword } from '../passwords/index.ts'
import { recordAudit } from '../records/index.ts'
import { deletePasskeysAndTrust } from '../second-factors/index.ts'
import { deleteAnswers } from '../security-questions/index.ts'
import { endSsoSessions } from '../sessions/index.ts'
import { deleteKnownDevices } from '../sign-in/index.ts'
import { deleteThirdPartyAccounts } from '../third-party-accounts/index.ts'
import { userErrors as errors, resetActivation, wouldLeaveNoSuperUser } from '../user-accounts/index.ts'
import { type Channel, getResetAddress, maskContact } from './reset-contacts.service.ts'
import { lockTargets, type VerbTarget } from './verbs.store.ts'

type ResetInput = Input<typeof resetUser>['body']

/**
 * Resets an account: every credential is deleted with the commit, sessions end, and whoever receives the one-time code activates the
 * account again. No administrator ever chooses or sees a password, or sees a code that is sent.
 * @throws Refusal `user.not-found`, `user.is-self`, `user.last-super-user`, and of `getResetAddress` and `sendMessage`.
 */
export async function resetPerson(
  ctx: Context,
  id: string,
  { reason, send }: ResetInput,
): Promise<Output<typeof resetUser>> {
  return await transaction(ctx, async (inner) => {
    const target = await lockResettable(inner, id)
    const recipient = send ? { channel: send, to: await getResetAddress(inner, id, send) } : null
    await deleteCredentials(inner, id)
    await deleteCountersOfUsers(inner.db, [id])
    await deleteActivationCodes(inner.db, [id])
    await endSsoSessions(inner, { userIds: [id] }, 'account')
    const { code, expiresAt } = await issueActivationCode(inner, id)
    const sentTo = recipient && (await sendResetLink(inner, target, recipient, code))
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

/** Locks the person's row for the rest of the transaction. */
async function lockResettable(ctx: Context, id: string): Promise<VerbTarget> {
  const [target] = await lockTargets(ctx.db, [id], mayManage(ctx, 'reset'), ctx.now())
  if (!target?.mayManage || target.deletedAt) throw errors['user.not-found']()
  if (id === callerOf(ctx).userId) throw errors['user.is-self']()
  if (target.isSuperUser && (await wouldLeaveNoSuperUser(ctx.db, [id], ctx.now())))
    throw errors['user.last-super-user']()
  return target
}

/** @returns the address, masked. */
async function sendResetLink(
  ctx: Context,
  { id, name, account }: VerbTarget,
  { channel, to }: { channel: Channel; to: string },
  code: string,
): Promise<string> {
  // From the configuration only: a request's Host header can be forged.
  const link = `${ctx.config.publicUrl}/auth_web/activation?code=${code}`
  const { language } = ctx.client
  const params = { name, account, link, days: ACTIVATION_CODE_DAYS }
  await sendMessage(ctx, { template: 'link.account-reset', channel, to, userId: id, language, params })
  return maskContact(channel, to)
}

/**
 * Deletes every credential that the user, or whoever had the account, could log in with; an authenticator app is only a second factor and
 * stays.
 */
async function deleteCredentials({ db, now }: Context, userId: string): Promise<void> {
  await archivePassword(db, userId, now())
  await deleteAnswers(db, userId)
  await deletePasskeysAndTrust(db, userId)
  await deleteThirdPartyAccounts(db, userId)
  await deleteKnownDevices(db, userId)
  await resetActivation(db, userId, now())
}
