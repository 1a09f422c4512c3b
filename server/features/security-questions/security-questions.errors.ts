import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  /** A wrong answer; which of several is not revealed. */
  'security-questions.wrong': 422,
  'security-questions.too-many-attempts': 429,
  'security-questions.unknown-question': 422,
  'security-questions.same-question': 422,
  'security-questions.same-answer': 422,
  'security-questions.answer-too-short': 422,
})
