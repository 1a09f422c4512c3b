import type { AccountSecurity } from '#shared/contract/account-security.ts'
import type { SecurityAnswer } from '#shared/contract/security-questions.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { notifyPerson } from '../messages/index.ts'
import { recordAudit } from '../records/index.ts'
import { hasAnswers, hashAnswers, saveAnswers } from '../security-questions/index.ts'
import { accountSecurity, boundNow, requireOwner } from './account-security.service.ts'
import { raiseVersion } from './account-security.store.ts'

type Answering = { id: string; answers: readonly SecurityAnswer[]; version: number | undefined }

/** Puts new answers in the place of the caller's former ones. Neither questions nor answers go to the records. */
export async function answerQuestions(ctx: Context, { id, answers, version }: Answering): Promise<AccountSecurity> {
  const userId = await requireOwner(ctx, id)
  const hashed = await hashAnswers(ctx, answers)
  await transaction(ctx, async (inner) => {
    await boundNow(inner, userId, version)
    const before = { answered: await hasAnswers(inner.db, userId) }
    await saveAnswers(inner, userId, hashed)
    await raiseVersion(inner.db, userId, inner.now())
    await recordAudit(inner, {
      action: 'account.security-questions-changed',
      targetKind: 'user',
      targetId: userId,
      before,
      after: { answered: true },
    })
    await notifyPerson(inner, { userId, template: 'notice.security-questions-changed' })
  })
  return await accountSecurity(ctx)
}
