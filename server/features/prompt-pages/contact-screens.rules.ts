import type { z } from 'zod'
import {
  type AccountSecurity,
  bindMailbox,
  bindPhone,
  queryAccountSecurity,
  unbindContact,
} from '#shared/contract/account-security.ts'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { queryIdentityProof } from '#shared/contract/identity-proofs.ts'
import type { SampleAnswer } from '#shared/rules/prompt-preview.ts'
import { AT, addressOf, answer, codeAnswers, fill, MAILBOX, PHONE, press } from './sample-answers.rules.ts'

const security = (given: Partial<AccountSecurity> = {}): SampleAnswer[] => [
  answer(queryAccountSecurity, {
    version: 1,
    password: { isSet: true, changedAt: AT, dueAt: null },
    securityQuestions: [],
    phone: null,
    mailbox: null,
    alias: null,
    aliasChangesLeft: 1,
    fields: { editable: ['phone', 'mailbox', 'alias'], hidden: [], owners: {} },
    channels: { sms: true, mail: true },
    ...given,
  }),
  ...codeAnswers(true),
]
const proved = answer(queryIdentityProof, { freshUntil: '2100-01-01T00:00:00.000Z', methods: [] })
const unproved = (methods: z.input<(typeof queryIdentityProof)['output']>['methods']) =>
  answer(queryIdentityProof, { freshUntil: null, methods })
const CONTACTS = '/account-security/set-account'
const BOUND = { phone: PHONE, mailbox: MAILBOX }
/** Rows are found by position: after the password and two-step verification. */
const row = (kind: 'phone' | 'mailbox') => press(`.security-list > li:nth-child(${kind === 'phone' ? 3 : 4}) > button`)
const REMOVE = press('dialog .button-remove')
const SAVE = press('dialog button[type=submit]')
const EVERY_PROOF = (['password', 'totp', 'passkey', 'phone', 'mailbox'] as const).map((method) => ({
  method,
  hint: method === 'phone' ? PHONE : method === 'mailbox' ? MAILBOX : '',
}))
const proof = (at: number) => ({
  path: CONTACTS,
  answers: [...security(), unproved(EVERY_PROOF.slice(at).concat(EVERY_PROOF.slice(0, at)))],
  steps: [row('phone')],
})

export const contacts = {
  list: { path: CONTACTS, answers: [...security(), proved], steps: [] },
  phone: {
    path: CONTACTS,
    answers: [...security(), proved],
    steps: [row('phone')],
    call: bindPhone,
    submit: [fill('dialog input[type=tel]', '13800001234'), fill('dialog .code-row input', '123456'), SAVE],
  },
  'phone-empty': { path: CONTACTS, answers: [...security(), proved], steps: [row('phone'), SAVE] },
  'phone-change': { path: CONTACTS, answers: [...security(BOUND), proved], steps: [row('phone')] },
  'phone-remove': { path: CONTACTS, answers: [...security({ phone: PHONE }), proved], steps: [row('phone'), REMOVE] },
  'phone-set': {
    path: CONTACTS,
    answers: [...security(), proved, sampleOf(bindPhone, security({ phone: PHONE }))],
    steps: [
      row('phone'),
      fill('dialog input[type=tel]', '13800001234'),
      fill('dialog .code-row input', '123456'),
      SAVE,
    ],
  },
  mailbox: {
    path: CONTACTS,
    answers: [...security(), proved],
    steps: [row('mailbox')],
    call: bindMailbox,
    submit: [fill('dialog input[type=email]', 'l@example.edu'), fill('dialog .code-row input', '123456'), SAVE],
  },
  'mailbox-empty': { path: CONTACTS, answers: [...security(), proved], steps: [row('mailbox'), SAVE] },
  'mailbox-change': { path: CONTACTS, answers: [...security(BOUND), proved], steps: [row('mailbox')] },
  'mailbox-remove': {
    path: CONTACTS,
    answers: [...security(BOUND), proved],
    steps: [row('mailbox'), REMOVE],
    call: unbindContact,
    submit: [],
  },
  'mailbox-set': {
    path: CONTACTS,
    answers: [...security(), proved, sampleOf(bindMailbox, security({ mailbox: MAILBOX }))],
    steps: [
      row('mailbox'),
      fill('dialog input[type=email]', 'l@example.edu'),
      fill('dialog .code-row input', '123456'),
      SAVE,
    ],
  },
  'proof-password': proof(0),
  'proof-app': proof(1),
  'proof-passkey': proof(2),
  'proof-phone': proof(3),
  'proof-choice': { ...proof(0), steps: [row('phone'), press('dialog .proof-other')] },
  'no-proof': { path: CONTACTS, answers: [...security(), unproved([])], steps: [row('phone')] },
}

/** Answers another call with the state from this one. */
function sampleOf(endpoint: Endpoint, [state]: SampleAnswer[]): SampleAnswer {
  return { ...addressOf(endpoint), answer: state?.answer ?? 'none' }
}
