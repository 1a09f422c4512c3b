import type { z } from 'zod'
import { checkPassword, type PasswordPolicy, queryPasswordPolicy, updatePassword } from '#shared/contract/passwords.ts'
import type { PreviewStep } from '#shared/rules/prompt-preview.ts'
import { answer, fill, SUBMIT } from './sample-answers.rules.ts'

const POLICY: PasswordPolicy = {
  passwordMinLength: 8,
  passwordMaxLength: 32,
  passwordLevel: 4,
  passwordHistory: 3,
  passwordContext: ['account', 'name', 'phone', 'birthday', 'school'],
}
export const GOOD = 'Sample-Passw0rd'
export const policy = answer(queryPasswordPolicy, POLICY)
export const judged = (rules: z.input<(typeof checkPassword)['output']>['rules']) =>
  answer(checkPassword, { rules, policy: POLICY })

export const newPassword = (first: string, repeated: string): PreviewStep[] => [
  fill('input[autocomplete=new-password]', first),
  fill('input[autocomplete=new-password]', repeated, 1),
]

const firstPassword = {
  path: '/forgot-password?type=2',
  stored: { 'gatehouse.first-login': '1' },
  call: updatePassword,
}
export const passwords = {
  'first-password': { ...firstPassword, answers: [policy], steps: [] },
  'weak-password': {
    ...firstPassword,
    answers: [policy, judged(['common', 'blocked', 'contains-institution', 'former'])],
    steps: [...newPassword(GOOD, GOOD)],
  },
  'unlike-passwords': { ...firstPassword, answers: [policy], steps: [...newPassword('abc', 'abd'), SUBMIT] },
  'strong-password': { ...firstPassword, answers: [policy, judged([])], steps: newPassword(GOOD, GOOD) },
  'password-set': {
    ...firstPassword,
    answers: [policy, judged([]), answer(updatePassword, { token: '', ended: 2 })],
    steps: [...newPassword(GOOD, GOOD), SUBMIT],
  },
}
