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
type Ways = z.input<(typeof beginRecovery)['output']>['ways']
const PHONE_WAY: Ways[number] = { way: 'phone', hint: PHONE, channels: ['sms'] }
const MAILBOX_WAY: Ways[number] = { way: 'mailbox', hint: MAILBOX, channels: ['mail'] }
const QUESTIONS_WAY: Ways[number] = { way: 'questions', hint: '', channels: [] }

const recovery = (asksName: boolean, ways: Ways, questionsNeedCode = true): SampleAnswer[] => [
  policy,
  judged([]),
  answer(queryRecovery, { offered: true, asksName }),
  answer(beginRecovery, { id: 'sample', secondsLeft: 900, ways, questions: QUESTIONS, questionsNeedCode }),
]
const WHO = [fill('input[autocomplete=username]', ACCOUNT), fill('input[autocomplete=name]', NAME), SUBMIT]
const way = (at: number) => press(`.recovery-ways li:nth-child(${at}) button`)
const RECOVERY = '/forgot-password'
const ANSWERED = QUESTIONS.map((_, at) => fill('.step-form .field input', '答案', at))
const ALL_WAYS = [PHONE_WAY, MAILBOX_WAY, QUESTIONS_WAY]
export const codeTyped = [fill('input[autocomplete=one-time-code]', '123456'), SUBMIT]

export const recoveries = {
  account: {
    path: RECOVERY,
    answers: recovery(true, ALL_WAYS),
    steps: WHO.slice(0, 2),
    call: beginRecovery,
    submit: [SUBMIT],
  },
  'account-only': { path: RECOVERY, answers: recovery(false, ALL_WAYS), steps: [] },
  checking: {
    path: RECOVERY,
    answers: [
      answer(queryRecovery, { offered: true, asksName: true }),
      { ...addressOf(beginRecovery), answer: 'none' as const },
    ],
    steps: WHO,
  },
  methods: { path: RECOVERY, answers: recovery(true, ALL_WAYS), steps: WHO },
  'methods-elsewhere': {
    path: RECOVERY,
    answers: recovery(true, [
      { ...PHONE_WAY, channels: ['wecom', 'sms'] },
      { ...MAILBOX_WAY, channels: ['wecom', 'mail'] },
    ]),
    steps: WHO,
  },
  'methods-answers-alone': { path: RECOVERY, answers: recovery(true, [QUESTIONS_WAY], false), steps: WHO },
  'no-method': { path: RECOVERY, answers: recovery(true, []), steps: WHO },
  'code-phone': {
    path: RECOVERY,
    answers: [...recovery(true, ALL_WAYS), ...codeAnswers(true)],
    steps: [...WHO, way(1)],
    call: proveByCode,
    submit: codeTyped,
  },
  'code-elsewhere': {
    path: RECOVERY,
    answers: recovery(true, [{ ...PHONE_WAY, channels: ['wecom', 'sms'] }]),
    steps: [...WHO, way(1)],
  },
  'code-mailbox': { path: RECOVERY, answers: recovery(true, ALL_WAYS), steps: [...WHO, way(2)] },
  answers: { path: RECOVERY, answers: recovery(true, ALL_WAYS), steps: [...WHO, way(3)] },
  'code-after-answers': {
    path: RECOVERY,
    answers: [...recovery(true, ALL_WAYS), answer(proveByQuestions, { proof: 'sample', next: 'code' })],
    steps: [...WHO, way(3), ...ANSWERED, SUBMIT],
  },
  password: {
    path: RECOVERY,
    answers: [...recovery(true, ALL_WAYS), answer(proveByCode, { proof: 'sample', next: 'password' })],
    steps: [...WHO, way(1), ...codeTyped],
    call: updatePasswordByPhone,
    submit: [...newPassword(GOOD, GOOD), SUBMIT],
  },
  done: {
    path: RECOVERY,
    answers: [
      ...recovery(true, ALL_WAYS),
      answer(proveByCode, { proof: 'sample', next: 'password' }),
      answer(updatePasswordByPhone, { ended: 2 }),
    ],
    steps: [...WHO, way(1), ...codeTyped, ...newPassword(GOOD, GOOD), SUBMIT],
  },
  'not-offered': { path: RECOVERY, answers: [answer(queryRecovery, { offered: false, asksName: true })], steps: [] },
}
