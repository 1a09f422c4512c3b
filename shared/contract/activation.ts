import { z } from 'zod'
import { ActivationField, OWN_FIELD_ERRORS } from './account-fields.ts'
import { ALIAS_ERRORS } from './account-security.ts'
import type { CaptchaKind } from './captcha.ts'
import { AskedCustomField, CustomValues, ShownCustomField } from './custom-fields.ts'
import { Done, Empty, get, Id, post } from './endpoint.ts'
import { MissingField, TYPED_FIELD_ERRORS, TypedFields } from './profile.ts'
import { SecurityAnswers } from './security-questions.ts'

/** Between the information check and the end. */
export const ActivationStep = z.enum(['identity', 'password', 'security-questions', 'phone', 'mailbox', 'profile'])
export type ActivationStep = z.infer<typeof ActivationStep>
/** The profile step follows the others wherever a required field is missing: it is not in the list of steps. */
const ListedStep = ActivationStep.exclude(['profile'])

const isDistinct = (list: readonly string[]) => new Set(list).size === list.length

/**
 * How people activate their accounts, in addition to the field rules: settings document `activation`, and
 * `settings.activation` of the bootstrap file.
 */
export const ActivationRules = z.strictObject({
  /** false: disabled, and not mentioned on the login page. */
  offered: z.boolean().default(true),
  /** In order; missing steps are off. Verifying the identity comes first. */
  steps: z
    .array(z.strictObject({ step: ListedStep, need: z.enum(['required', 'optional']) }))
    .max(ListedStep.options.length)
    .refine((steps) => isDistinct(steps.map(({ step }) => step)), 'a step stands in the list twice')
    .refine((steps) => steps.findIndex(({ step }) => step === 'identity') <= 0, 'identity has to be the first step')
    .default([
      { step: 'identity', need: 'required' },
      { step: 'password', need: 'required' },
      { step: 'security-questions', need: 'optional' },
      { step: 'phone', need: 'optional' },
      { step: 'mailbox', need: 'optional' },
    ]),
})
export type ActivationRules = z.infer<typeof ActivationRules>

/** An activation in progress, as visible to the browser that began it. */
export const Activation = z.object({
  /** Identifies it when requesting a verification code (purpose `activation`). */
  id: Id,
  /** The token for the next call; changes after each step. */
  proof: z.string(),
  account: z.string(),
  name: z.string(),
  /** Seconds until it expires. */
  secondsLeft: z.number().int(),
  steps: z.array(
    z.object({
      step: ActivationStep,
      need: z.enum(['required', 'optional']),
      state: z.enum(['open', 'done', 'skipped']),
      /** The phone or email address bound or about to be, masked. */
      about: z.string().nullable(),
      /** Completed in this activation, so it may be changed; not for data on file. */
      mayChange: z.boolean(),
    }),
  ),
  /** The contacts for verifying the identity by code. */
  targets: z.array(z.object({ channel: z.enum(['sms', 'mail']), masked: z.string() })),
  /** Required fields without a value, once the identity is verified; null: not asked for, or not yet. */
  profile: z.object({ missing: z.array(MissingField), missingCustom: z.array(ShownCustomField) }).nullable(),
  /** It is over: the account is active. */
  isComplete: z.boolean(),
})
export type Activation = z.infer<typeof Activation>

export const queryActivation = get(
  '/activate/query/',
  'public',
  Empty,
  z.object({
    offered: z.boolean(),
    /** Empty where activation is not offered. */
    fields: z.array(ActivationField),
    /** Custom fields: only what is needed to fill them in. */
    custom: z.array(AskedCustomField),
    /** The usual steps; one person may have fewer. */
    steps: z.array(ActivationStep),
    /** This browser's activation, unless expired. */
    activation: Activation.nullable(),
  }),
  { summary: 'What an activation asks for, and the one that this browser has begun' },
)

const text = (max: number) => z.string().max(max)

/** `data` of `activation.refused`: the captcha for the next attempt; its purpose is `activation`. */
export type ActivationRefusalData = { captcha: { kind: z.infer<typeof CaptchaKind> } | null }

/**
 * The information check. One refusal for everything: unknown account, differing data, already active, frozen, locked,
 * disabled, or too many attempts.
 */
export const beginActivation = post(
  '/activate/information/',
  'public',
  z.strictObject({
    account: text(256).min(1),
    name: text(256).optional(),
    idNumber: text(100).optional(),
    birthday: text(20).optional(),
    phone: text(60).optional(),
    mailbox: text(256).optional(),
    custom: CustomValues.optional(),
    captchaId: text(100).optional(),
    captcha: text(200).optional(),
  }),
  Activation,
  {
    summary: 'Begin an activation: the given data must match the data on file',
    errors: [
      'activation.refused',
      'activation.captcha-required',
      'activation.captcha-wrong',
      'activation.not-offered',
      'service.busy',
    ],
  },
)

/** Also where activation is not offered: an administrator has issued the code. */
export const beginActivationByCode = post(
  '/activate/code/',
  'public',
  z.strictObject({ code: text(100).min(20) }),
  Activation,
  {
    summary: 'Begin an activation with a one-time code from an administrator',
    errors: ['activation.code-refused'],
  },
)

const Proof = text(100)
/** Every step may find that it is out of order, has expired, or that the account can't be activated any more. */
const refusals = ['activation.out-of-step', 'activation.expired', 'activation.over'] as const
const codeRefusals = [
  'verification-code.wrong',
  'verification-code.expired',
  'verification-code.too-many-tries',
] as const
const Code = text(40).min(1)

export const proveActivationIdentity = post(
  '/activate/identity/',
  'public',
  z.strictObject({ proof: Proof, channel: z.enum(['sms', 'mail']), code: Code }),
  Activation,
  {
    summary: 'Verify my identity with the code sent to a phone or email address on file',
    errors: [...refusals, ...codeRefusals],
  },
)

export const setActivationPassword = post(
  '/activate/password/',
  'public',
  z.strictObject({ proof: Proof, password: text(1024).min(1) }),
  Activation,
  { summary: 'Choose the password', errors: [...refusals, 'password.too-weak', 'service.busy'] },
)

export const setActivationQuestions = post(
  '/activate/security_questions/',
  'public',
  z.strictObject({ proof: Proof, answers: SecurityAnswers }),
  Activation,
  {
    summary: 'Answer security questions',
    errors: [
      ...refusals,
      'security-questions.unknown-question',
      'security-questions.same-question',
      'security-questions.same-answer',
      'security-questions.answer-too-short',
      'service.busy',
    ],
  },
)

export const bindActivationPhone = post(
  '/activate/bind_phone/',
  'public',
  z.strictObject({ proof: Proof, phone: text(60).min(1), code: Code }),
  Activation,
  {
    summary: 'Bind the phone number with its code',
    errors: [...refusals, ...codeRefusals, ...OWN_FIELD_ERRORS, 'activation.no-phone', 'activation.phone-taken'],
  },
)

export const bindActivationMailbox = post(
  '/activate/bind_mailbox/',
  'public',
  z.strictObject({ proof: Proof, mailbox: text(256).min(1), code: Code }),
  Activation,
  {
    summary: 'Bind the email address with its code',
    errors: [...refusals, ...codeRefusals, ...OWN_FIELD_ERRORS, 'activation.no-mailbox', 'activation.mailbox-taken'],
  },
)

export const fillInActivationProfile = post(
  '/activate/profile/',
  'public',
  TypedFields.extend({ proof: Proof, alias: text(100).optional() }),
  Activation,
  {
    summary: 'Fill in the fields that an account is not activated without',
    errors: [...refusals, ...TYPED_FIELD_ERRORS, ...ALIAS_ERRORS],
  },
)

export const skipActivationStep = post(
  '/activate/skip/',
  'public',
  z.strictObject({ proof: Proof, step: ActivationStep }),
  Activation,
  { summary: 'Skip an optional step', errors: [...refusals, 'activation.step-required'] },
)

/** Applies everything at once. Before this call the account is unchanged. */
export const completeActivation = post('/activate/', 'public', z.strictObject({ proof: Proof }), Activation, {
  summary: 'Activate the account',
  errors: [
    ...refusals,
    'activation.step-required',
    ...TYPED_FIELD_ERRORS,
    ...ALIAS_ERRORS,
    'activation.phone-taken',
    'activation.mailbox-taken',
    'version.conflict',
  ],
})

export const cancelActivation = post('/activate/give_up/', 'public', Empty, Done, {
  summary: 'Cancel the activation that this browser has begun',
})
