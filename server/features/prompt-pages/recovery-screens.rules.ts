import type { z } from 'zod'
import {
  beginRecovery,
  proveByCode,
  proveByQuestions,
  queryRecovery,
  updatePasswordByPhone,
} from '#shared/contract/password-recovery.ts'
import type { SampleAnswer } from '#shared/rules/prompt-preview.ts'
import { GOOD, judged, newPassword, policy } from './password-screens.rules.ts'
import {
  ACCOUNT,
  addressOf,
  answer,
  codeAnswers,
  fill,
  MAILBOX,
  NAME,
  PHONE,
  press,
  SUBMIT,
} from './sample-answers.rules.ts'

export const QUESTIONS = [
  { code: 'first-school', text: '您的小学叫什么？' },
  { code: 'first-pet', text: '您的第一只宠物叫什么？' },
  { code: 'birth-town', text: '您出生在哪里？' },
]
type Methods = z.input<(typeof beginRecovery)['output']>['methods']
const PHONE_METHOD: Methods[number] = { method: 'phone', hint: PHONE, channels: ['sms'] }
const MAILBOX_METHOD: Methods[number] = { method: 'mailbox', hint: MAILBOX, channels: ['mail'] }
const QUESTIONS_METHOD: Methods[number] = { method: 'questions', hint: '', channels: [] }

const recovery = (asksName: boolean, methods: Methods, questionsNeedCode = true): SampleAnswer[] => [
  policy,
  judged([]),
  answer(queryRecovery, { offered: true, asksName }),
  answer(beginRecovery, { id: 'sample', secondsLeft: 900, methods, questions: QUESTIONS, questionsNeedCode }),
]
const WHO = [fill('input[autocomplete=username]', ACCOUNT), fill('input[autocomplete=name]', NAME), SUBMIT]
const choose = (at: number) => press(`.recovery-methods li:nth-child(${at}) button`)
const RECOVERY = '/forgot-password'
const ANSWERED = QUESTIONS.map((_, at) => fill('.step-form .field input', '答案', at))
const ALL_METHODS = [PHONE_METHOD, MAILBOX_METHOD, QUESTIONS_METHOD]
export const codeTyped = [fill('input[autocomplete=one-time-code]', '123456'), SUBMIT]

export const recoveries = {
  account: {
    path: RECOVERY,
    answers: recovery(true, ALL_METHODS),
    steps: WHO.slice(0, 2),
    call: beginRecovery,
    submit: [SUBMIT],
  },
  'account-only': { path: RECOVERY, answers: recovery(false, ALL_METHODS), steps: [] },
  checking: {
    path: RECOVERY,
    answers: [
      answer(queryRecovery, { offered: true, asksName: true }),
      { ...addressOf(beginRecovery), answer: 'none' as const },
    ],
    steps: WHO,
  },
  methods: { path: RECOVERY, answers: recovery(true, ALL_METHODS), steps: WHO },
  'methods-elsewhere': {
    path: RECOVERY,
    answers: recovery(true, [
      { ...PHONE_METHOD, channels: ['wecom', 'sms'] },
      { ...MAILBOX_METHOD, channels: ['wecom', 'mail'] },
    ]),
    steps: WHO,
  },
  'methods-answers-alone': { path: RECOVERY, answers: recovery(true, [QUESTIONS_METHOD], false), steps: WHO },
  'no-method': { path: RECOVERY, answers: recovery(true, []), steps: WHO },
  'code-phone': {
    path: RECOVERY,
    answers: [...recovery(true, ALL_METHODS), ...codeAnswers(true)],
    steps: [...WHO, choose(1)],
    call: proveByCode,
    submit: codeTyped,
  },
  'code-elsewhere': {
    path: RECOVERY,
    answers: recovery(true, [{ ...PHONE_METHOD, channels: ['wecom', 'sms'] }]),
    steps: [...WHO, choose(1)],
  },
  'code-mailbox': { path: RECOVERY, answers: recovery(true, ALL_METHODS), steps: [...WHO, choose(2)] },
  answers: { path: RECOVERY, answers: recovery(true, ALL_METHODS), steps: [...WHO, choose(3)] },
  'code-after-answers': {
    path: RECOVERY,
    answers: [...recovery(true, ALL_METHODS), answer(proveByQuestions, { proof: 'sample', next: 'code' })],
    steps: [...WHO, choose(3), ...ANSWERED, SUBMIT],
  },
  password: {
    path: RECOVERY,
    answers: [...recovery(true, ALL_METHODS), answer(proveByCode, { proof: 'sample', next: 'password' })],
    steps: [...WHO, choose(1), ...codeTyped],
    call: updatePasswordByPhone,
    submit: [...newPassword(GOOD, GOOD), SUBMIT],
  },
  done: {
    path: RECOVERY,
    answers: [
      ...recovery(true, ALL_METHODS),
      answer(proveByCode, { proof: 'sample', next: 'password' }),
      answer(updatePasswordByPhone, { ended: 2 }),
    ],
    steps: [...WHO, choose(1), ...codeTyped, ...newPassword(GOOD, GOOD), SUBMIT],
  },
  'not-offered': { path: RECOVERY, answers: [answer(queryRecovery, { offered: false, asksName: true })], steps: [] },
}
