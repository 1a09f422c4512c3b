import { z } from 'zod'
import type { CaptchaKind } from './captcha.ts'
import { Empty, get, post } from './endpoint.ts'
import { MESSAGE_CHANNELS } from './message-routes.ts'
import { SecurityAnswers, SecurityQuestion } from './security-questions.ts'

/**
 * The rules of password recovery: settings document `passwordRecovery`, and `settings.passwordRecovery` of the
 * bootstrap file.
 */
export const RecoveryRules = z.strictObject({
  /** false: disabled, and not mentioned on the login page. */
  offered: z.boolean().default(true),
  /** Asks for the name as well as the account: only people who know both see where a code would go. */
  asksName: z.boolean().default(true),
  /** Security questions: with a code if a phone or email address is bound, by answers alone, or off. */
  questions: z.enum(['with-code', 'alone', 'off']).default('with-code'),
})
export type RecoveryRules = z.infer<typeof RecoveryRules>

export const RecoveryMethod = z.enum(['phone', 'mailbox', 'questions'])
export type RecoveryMethod = z.infer<typeof RecoveryMethod>

export const queryRecovery = get(
  '/password_recovery/query/',
  'public',
  Empty,
  RecoveryRules.pick({ offered: true, asksName: true }),
  { summary: 'What the recovery of a password asks for' },
)

const text = (max: number) => z.string().max(max)

export const Recovery = z.object({
  /** Identifies this recovery wherever the specification's calls have an `{id}`; valid in this browser only. */
  id: z.string(),
  /** Seconds until it expires. */
  secondsLeft: z.number().int(),
  /**
   * With masked contacts, invented for an unknown name. `channels`: where a code by this method may arrive, in this
   * order: by the settings alone, whoever it is for.
   */
  methods: z.array(z.object({ method: RecoveryMethod, hint: z.string(), channels: z.array(z.enum(MESSAGE_CHANNELS)) })),
  /** For the method `questions`. */
  questions: z.array(SecurityQuestion),
  /** Correct answers need a code as well. */
  questionsNeedCode: z.boolean(),
})
export type Recovery = z.infer<typeof Recovery>

/** `data` of `password-recovery.captcha-required` and `-captcha-wrong`; the captcha's purpose is `recovery`. */
export type RecoveryRefusalData = { captcha: { kind: CaptchaKind } }

/** Starts a recovery. Every account, known or not and whatever its state, gets an answer of the same shape. */
export const beginRecovery = post(
  '/password_recovery/begin/',
  'public',
  z.strictObject({
    /** Any login name. */
    account: text(256).min(1),
    name: text(256).optional(),
    captchaId: text(100).optional(),
    captcha: text(200).optional(),
  }),
  Recovery,
  {
    summary: 'Begin to recover a password',
    errors: [
      'password-recovery.captcha-required',
      'password-recovery.captcha-wrong',
      'password-recovery.not-offered',
      'password-recovery.too-many',
    ],
  },
)

const id = { query: z.strictObject({ id: text(100).min(1) }) }
const Proof = text(100)

/** Valid once, for fifteen minutes, in this browser and for this recovery. */
const RecoveryProof = z.object({
  proof: z.string(),
  /** `code`: verify by code next, with this proof. `password`: set the new password by the verified method. */
  next: z.enum(['code', 'password']),
})

export const proveByQuestions = post(
  '/password_recovery/{id}/prove_by_questions/',
  'public',
  z.strictObject({ answers: SecurityAnswers }),
  RecoveryProof,
  {
    ...id,
    summary: 'Answer the security questions',
    errors: [
      'password-recovery.expired',
      'password-recovery.method-unavailable',
      'security-questions.wrong',
      'security-questions.too-many-attempts',
      'service.busy',
    ],
  },
)

/** The code is sent by `send_phonecaptcha` or `send_email` with the id of this recovery and purpose `recovery`. */
export const proveByCode = post(
  '/password_recovery/{id}/prove_by_code/',
  'public',
  z.strictObject({
    method: z.enum(['phone', 'mailbox']),
    code: text(200).min(1),
    /** Of the answers, if they came first. */
    proof: Proof.optional(),
  }),
  RecoveryProof,
  {
    ...id,
    summary: 'Verify the identity by a code',
    errors: [
      'password-recovery.expired',
      'password-recovery.method-unavailable',
      'verification-code.wrong',
      'verification-code.expired',
      'verification-code.too-many-tries',
    ],
  },
)

const NewPassword = z.strictObject({ proof: Proof, newPassword: z.string().min(1).max(1024) })
const NewPasswordResult = z.object({
  /** The number of the person's logins that were ended. */
  ended: z.number().int(),
})
const extra = {
  ...id,
  errors: ['password-recovery.expired', 'password.too-weak', 'version.conflict', 'service.busy'],
}

/** Each takes the proof of its own method. Logs nobody in and lifts no lock; ends every login of the person. */
export const updatePasswordByPhone = post(
  '/user_information/{id}/update_password_by_phone/',
  'public',
  NewPassword,
  NewPasswordResult,
  { ...extra, summary: 'Set a new password after a code by text message' },
)
export const updatePasswordByEmail = post(
  '/user_information/{id}/update_password_by_email/',
  'public',
  NewPassword,
  NewPasswordResult,
  { ...extra, summary: 'Set a new password after a code by mail' },
)
export const updatePasswordByQuestions = post(
  '/user_information/{id}/update_password_by_questions/',
  'public',
  NewPassword,
  NewPasswordResult,
  { ...extra, summary: 'Set a new password after the security questions' },
)
