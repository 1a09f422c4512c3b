import { listSecurityQuestions, QUESTIONS_TO_ANSWER } from '#shared/contract/security-questions.ts'
import type { Api } from '../../platform/http/mount.ts'
import { listOfferedQuestions } from './question-list.service.ts'

export function mountSecurityQuestions(api: Api): void {
  api.mount(listSecurityQuestions, async (ctx) => ({
    questions: await listOfferedQuestions(ctx),
    count: QUESTIONS_TO_ANSWER,
  }))
}
