import type { AccountSecurity } from '#shared/contract/account-security.ts'
import type { SecurityAnswer } from '#shared/contract/security-questions.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { notifyPerson } from '../messages/index.ts'
import { recordAudit } from '../records/index.ts'
import { hasAnswers, hashAnswers, saveAnswers } from '../security-questions/index.ts'
import { bumpUserVersion } from '../user-accounts/index.ts'
import { getAccountSecurity, requireBoundContacts, requireOwner } from './account-security.service.ts'

type AnswerQuestionsInput = { id: string; answers: readonly SecurityAnswer[]; version: number | undefined }

/** Replaces the caller's answers. Neither questions nor answers are recorded. */
export async function answerQuestions(
  ctx: Context,
  { id, answers, version }: AnswerQuestionsInput,
): Promise<AccountSecurity> {
  const userId = await requireOwner(ctx, id)
  const hashed = await hashAnswers(ctx, answers)
  await transaction(ctx, async (inner) => {
    await requireBoundContacts(inner, userId, version)
    const before = { answered: await hasAnswers(inner.db, userId) }
    await saveAnswers(inner, userId, hashed)
    await bumpUserVersion(inner.db, userId, inner.now())
    await recordAudit(inner, {
      action: 'account.security-questions-changed',
      targetKind: 'user',
      targetId: userId,
      before,
      after: { answered: true },
    })
    await notifyPerson(inner, { userId, template: 'notice.security-questions-changed' })
  })
  return await getAccountSecurity(ctx)
}
