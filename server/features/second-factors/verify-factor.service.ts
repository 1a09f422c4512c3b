import { type Context, transaction } from '../../platform/platform.ts'
import {
  countFailureInTransaction,
  deleteCounter,
  findCounter,
  isBlocked,
  waitOf,
  windowStart,
} from '../attempts/index.ts'
import { notifyPerson } from '../messages/index.ts'
import { recordAudit } from '../records/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { hashRecoveryCode } from './recovery-codes.rules.ts'
import { consumeRecoveryCode, lockSecondFactors, type TotpRow, updateTotpStep } from './second-factors.store.ts'
import { findTotpStep, parseTotpCode } from './totp.rules.ts'

/** `blocked`: with how long to wait. */
export type TypedFactorResult = 'totp' | 'recovery' | 'wrong' | { blocked: ReturnType<typeof waitOf> }

/**
 * Checks what a person typed as second factor: six digits of an authenticator app, or a recovery code. Attempts are counted separately from
 * those of passwords, per person and durably; parallel ones are serialised. Each code is accepted once. Everything is committed before it
 * returns.
 * @returns which factor it proved, or why it did not.
 */
export async function verifyTypedFactor(ctx: Context, userId: string, typed: string): Promise<TypedFactorResult> {
  const policy = await signInPolicy(ctx)
  const key = ctx.secrets.mac(`second-factor\n${userId}`)
  return await transaction(ctx, async (inner) => {
    const now = inner.now()
    const row = await lockSecondFactors(inner.db, userId, now)
    const counter = await findCounter(inner.db, 'second-factor', key, windowStart(policy, now), now)
    if (isBlocked(counter, now)) return { blocked: waitOf(policy, counter, now) }
    const factor = parseTotpCode(typed) === null ? 'recovery' : 'totp'
    if (await consumeFactor(inner, userId, row, { factor, typed })) {
      await deleteCounter(inner.db, 'second-factor', key)
      return factor
    }
    const counted = await countFailureInTransaction(inner, policy, {
      kind: 'second-factor',
      key,
      userId,
      addressKey: null,
    })
    return isBlocked(counted, now) ? { blocked: waitOf(policy, counted, now) } : 'wrong'
  })
}

type TypedFactor = { factor: 'totp' | 'recovery'; typed: string }

async function consumeFactor(
  ctx: Context,
  userId: string,
  row: TotpRow,
  { factor, typed }: TypedFactor,
): Promise<boolean> {
  if (factor === 'recovery') return await consumeRecovery(ctx, userId, typed)
  const step = row.secret === null ? null : findTotpStep(ctx.secrets.open(row.secret), typed, ctx.now())
  // Somebody who saw or overheard a code must not be able to use it within its minute.
  if (step === null || step <= row.lastStep) return false
  await updateTotpStep(ctx.db, userId, step, ctx.now())
  return true
}

async function consumeRecovery(ctx: Context, userId: string, code: string): Promise<boolean> {
  if (!(await consumeRecoveryCode(ctx.db, userId, hashRecoveryCode(ctx.secrets, userId, code), ctx.now()))) return false
  await recordAudit(ctx, { action: 'recovery-code.use', targetKind: 'user', targetId: userId, actor: userId })
  await notifyPerson(ctx, { userId, template: 'notice.recovery-code-used' })
  return true
}
