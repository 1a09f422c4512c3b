import { listSecurityQuestions, QUESTIONS_TO_ANSWER } from '#shared/contract/security-questions.ts'
import type { Api } from '../../platform/http/mount.ts'
import { offeredQuestions } from './question-list.ts'

export function mountSecurityQuestions(api: Api): void {
  api.mount(listSecurityQuestions, async (ctx) => ({
    questions: await offeredQuestions(ctx),
    count: QUESTIONS_TO_ANSWER,
  }))
}
