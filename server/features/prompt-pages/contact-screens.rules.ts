import type { z } from 'zod'
import {
  type AccountSecurity,
  bindMailbox,
  bindPhone,
  queryAccountSecurity,
  unbindContact,
} from '#shared/contract/account-security.ts'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { queryReauthentication } from '#shared/contract/reauthentication.ts'
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
const reauthenticated = answer(queryReauthentication, { freshUntil: '2100-01-01T00:00:00.000Z', methods: [] })
const notReauthenticated = (methods: z.input<(typeof queryReauthentication)['output']>['methods']) =>
  answer(queryReauthentication, { freshUntil: null, methods })
const CONTACTS = '/account-security/set-account'
const BOUND = { phone: PHONE, mailbox: MAILBOX }
/** Rows are found by position: after the password and two-step verification. */
const row = (kind: 'phone' | 'mailbox') => press(`.security-list > li:nth-child(${kind === 'phone' ? 3 : 4}) > button`)
const REMOVE = press('dialog .button-remove')
const SAVE = press('dialog button[type=submit]')
const EVERY_METHOD = (['password', 'totp', 'passkey', 'phone', 'mailbox'] as const).map((method) => ({
  method,
  hint: method === 'phone' ? PHONE : method === 'mailbox' ? MAILBOX : '',
}))
const reauthentication = (at: number) => ({
  path: CONTACTS,
  answers: [...security(), notReauthenticated(EVERY_METHOD.slice(at).concat(EVERY_METHOD.slice(0, at)))],
  steps: [row('phone')],
})

export const contacts = {
  list: { path: CONTACTS, answers: [...security(), reauthenticated], steps: [] },
  phone: {
    path: CONTACTS,
    answers: [...security(), reauthenticated],
    steps: [row('phone')],
    call: bindPhone,
    submit: [fill('dialog input[type=tel]', '13800001234'), fill('dialog .code-row input', '123456'), SAVE],
  },
  'phone-empty': { path: CONTACTS, answers: [...security(), reauthenticated], steps: [row('phone'), SAVE] },
  'phone-change': { path: CONTACTS, answers: [...security(BOUND), reauthenticated], steps: [row('phone')] },
  'phone-remove': {
    path: CONTACTS,
    answers: [...security({ phone: PHONE }), reauthenticated],
    steps: [row('phone'), REMOVE],
  },
  'phone-set': {
    path: CONTACTS,
    answers: [...security(), reauthenticated, sampleOf(bindPhone, security({ phone: PHONE }))],
    steps: [
      row('phone'),
      fill('dialog input[type=tel]', '13800001234'),
      fill('dialog .code-row input', '123456'),
      SAVE,
    ],
  },
  mailbox: {
    path: CONTACTS,
    answers: [...security(), reauthenticated],
    steps: [row('mailbox')],
    call: bindMailbox,
    submit: [fill('dialog input[type=email]', 'l@example.edu'), fill('dialog .code-row input', '123456'), SAVE],
  },
  'mailbox-empty': { path: CONTACTS, answers: [...security(), reauthenticated], steps: [row('mailbox'), SAVE] },
  'mailbox-change': { path: CONTACTS, answers: [...security(BOUND), reauthenticated], steps: [row('mailbox')] },
  'mailbox-remove': {
    path: CONTACTS,
    answers: [...security(BOUND), reauthenticated],
    steps: [row('mailbox'), REMOVE],
    call: unbindContact,
    submit: [],
  },
  'mailbox-set': {
    path: CONTACTS,
    answers: [...security(), reauthenticated, sampleOf(bindMailbox, security({ mailbox: MAILBOX }))],
    steps: [
      row('mailbox'),
      fill('dialog input[type=email]', 'l@example.edu'),
      fill('dialog .code-row input', '123456'),
      SAVE,
    ],
  },
  'reauthentication-password': reauthentication(0),
  'reauthentication-app': reauthentication(1),
  'reauthentication-passkey': reauthentication(2),
  'reauthentication-phone': reauthentication(3),
  'reauthentication-choice': { ...reauthentication(0), steps: [row('phone'), press('dialog .reauthentication-other')] },
  'no-reauthentication': { path: CONTACTS, answers: [...security(), notReauthenticated([])], steps: [row('phone')] },
}

/** Answers another call with the state from this one. */
function sampleOf(endpoint: Endpoint, [state]: SampleAnswer[]): SampleAnswer {
  return { ...addressOf(endpoint), answer: state?.answer ?? 'none' }
}
