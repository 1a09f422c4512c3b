import {
  type Activation,
  type ActivationStep,
  beginActivation,
  beginActivationByCode,
  completeActivation,
  proveActivationIdentity,
  queryActivation,
} from '#shared/contract/activation.ts'
import { listSecurityQuestions } from '#shared/contract/security-questions.ts'
import type { SampleAnswer } from '#shared/rules/prompt-preview.ts'
import { judged, policy } from './password-screens.rules.ts'
import { codeTyped, QUESTIONS } from './recovery-screens.rules.ts'
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

const STEPS: ActivationStep[] = ['identity', 'password', 'security-questions', 'phone', 'mailbox', 'profile']
const PROFILE: Activation['profile'] = {
  missing: (['alias', 'nickname', 'gender', 'birthday', 'idNumber'] as const).map((field) => ({
    field,
    expected: null,
  })),
  missingCustom: [],
}
const CODES: Activation['targets'] = [
  { channel: 'sms', masked: PHONE },
  { channel: 'mail', masked: MAILBOX },
]

type Underway = { at?: ActivationStep | 'finish' | 'complete'; targets?: Activation['targets'] }

/** An activation in progress, with every step before `at` done. */
function activationAt({ at, targets = CODES }: Underway): Activation | null {
  if (at === undefined) return null
  const due = STEPS.indexOf(at as ActivationStep)
  const isPast = (index: number) => due === -1 || index < due
  return {
    id: '00000000-0000-7000-8000-000000000000',
    proof: 'sample',
    account: ACCOUNT,
    name: NAME,
    secondsLeft: 1800,
    steps: STEPS.map((step, index) => ({
      step,
      need: index < 2 ? 'required' : 'optional',
      // One step is skipped, so that the text for that is seen too.
      state: isPast(index) ? (step === 'mailbox' ? 'skipped' : 'done') : 'open',
      about: step === 'phone' && isPast(index) ? PHONE : null,
      mayChange: index > 0 && step !== 'profile',
    })),
    targets,
    profile: at === 'profile' ? PROFILE : null,
    isComplete: at === 'complete',
  }
}

const activation = (underway: Underway = {}, offered = true): SampleAnswer[] => [
  policy,
  judged([]),
  answer(queryActivation, {
    offered,
    fields: ['account', 'name', 'idNumber', 'birthday', 'phone', 'mailbox'],
    custom: [],
    steps: STEPS,
    activation: activationAt(underway),
  }),
  answer(listSecurityQuestions, { questions: QUESTIONS, count: QUESTIONS.length }),
  ...codeAnswers(true),
]
const ACTIVATION = '/activation'
const GIVEN = [
  fill('input[autocomplete=username]', ACCOUNT),
  fill('input[autocomplete=name]', NAME),
  fill('input[autocomplete=off]', '110101200001010015'),
  fill('input[autocomplete=bday]', '2000-01-01'),
  fill('input[autocomplete=tel]', '13800001234'),
  fill('input[autocomplete=email]', 'l@example.edu'),
  SUBMIT,
]
const BACK = press('.form-actions button[type=button]:last-child')

export const activations = {
  information: { path: ACTIVATION, answers: activation(), steps: [], call: beginActivation, submit: GIVEN },
  checking: {
    path: ACTIVATION,
    answers: [...activation(), { ...addressOf(beginActivation), answer: 'none' as const }],
    steps: GIVEN,
  },
  identity: {
    path: ACTIVATION,
    answers: activation({ at: 'identity' }),
    steps: [],
    call: proveActivationIdentity,
    submit: codeTyped,
  },
  'identity-empty': { path: ACTIVATION, answers: activation({ at: 'identity' }), steps: [SUBMIT] },
  'no-code': { path: ACTIVATION, answers: activation({ at: 'identity', targets: [] }), steps: [] },
  password: { path: ACTIVATION, answers: activation({ at: 'password' }), steps: [] },
  'security-questions': { path: ACTIVATION, answers: activation({ at: 'security-questions' }), steps: [] },
  phone: { path: ACTIVATION, answers: activation({ at: 'phone' }), steps: [] },
  mailbox: { path: ACTIVATION, answers: activation({ at: 'mailbox' }), steps: [] },
  profile: { path: ACTIVATION, answers: activation({ at: 'profile' }), steps: [] },
  'step-before': { path: ACTIVATION, answers: activation({ at: 'security-questions' }), steps: [BACK] },
  'skipped-step': { path: ACTIVATION, answers: activation({ at: 'finish' }), steps: [BACK] },
  finish: {
    path: ACTIVATION,
    answers: activation({ at: 'finish' }),
    steps: [],
    call: completeActivation,
    submit: [SUBMIT],
  },
  complete: { path: ACTIVATION, answers: activation({ at: 'complete' }), steps: [] },
  link: {
    path: `${ACTIVATION}?code=sample-code-sample-code`,
    answers: activation(),
    steps: [],
    call: beginActivationByCode,
    submit: [press('.form-card button')],
  },
  'not-offered': { path: ACTIVATION, answers: activation({}, false), steps: [] },
}
