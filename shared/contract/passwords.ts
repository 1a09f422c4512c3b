import { z } from 'zod'
import { PASSWORD_RULES } from '../rules/password-strength.ts'
import { Empty, get, Id, post } from './endpoint.ts'
import { RecoveryMethod } from './password-recovery.ts'
import { SignInPolicy } from './sign-in-policy.ts'

/** What a page must know to judge a new password with rules/password-strength.ts while it is typed. */
export const PasswordPolicy = SignInPolicy.pick({
  passwordMinLength: true,
  passwordMaxLength: true,
  passwordLevel: true,
  passwordHistory: true,
  passwordContext: true,
})
export type PasswordPolicy = z.infer<typeof PasswordPolicy>

export const queryPasswordPolicy = get('/login_config/password_policy/', 'public', Empty, PasswordPolicy, {
  summary: 'The demands on a new password: on mine, with a session',
})

/** Refuses before hashing what nobody types; the policy's own bounds are told by name. */
const Password = z.string().min(1).max(1024)

const Proof = z.string().min(1).max(100)

/** Whose password it is to be: of the session, of a recovery or activation whose proof the page holds, of somebody yet to be created. */
export const PasswordSubject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('session') }),
  z.strictObject({ kind: z.literal('recovery'), id: z.string().min(1).max(100), way: RecoveryMethod, proof: Proof }),
  z.strictObject({ kind: z.literal('activation'), proof: Proof }),
  z.strictObject({ kind: z.literal('typed'), account: z.string().max(256), name: z.string().max(256) }),
])
export type PasswordSubject = z.infer<typeof PasswordSubject>

/**
 * Judges a candidate as the change itself will, so that a page never praises what is refused afterwards. Nothing is kept of it. Former
 * passwords are not compared: that costs a hash each.
 */
export const checkPassword = post(
  '/login_config/judge_password/',
  'public',
  z.strictObject({ password: Password, subject: PasswordSubject }),
  /** The broken rules; none: it may be set. */
  z.object({
    rules: z.array(z.enum(PASSWORD_RULES)),
    /** The demands that it was judged by: those on this person. */
    policy: PasswordPolicy,
  }),
  {
    summary: 'Which demands a candidate for a new password does not meet',
    errors: [
      'session.required',
      'request.too-many',
      'password-recovery.expired',
      'activation.expired',
      'activation.out-of-step',
      'activation.over',
    ],
  },
)

/**
 * Changes one's own password. The old one is asked for, except right after a login that must change it: that session has just
 * proved it. Ends all other sessions of the person; this one gets new cookies and the new `token` of the answer, at once good for
 * everything.
 */
export const updatePassword = post(
  '/user_information/{id}/update_password/',
  'limited',
  z.strictObject({ oldPassword: Password.optional(), newPassword: Password }),
  z.object({
    token: z.string(),
    /** How many other logins of mine this ended. */
    ended: z.number().int(),
  }),
  {
    query: z.strictObject({ id: Id }),
    summary: 'Change my password',
    errors: [
      'password.too-weak',
      'password.old-wrong',
      'password.too-many-attempts',
      'password.not-yours',
      'version.conflict',
      'service.busy',
    ],
  },
)

/** `data` of `password.too-weak`: every broken rule of rules/password-strength.ts; wording `password.rule.<rule>`. */
export type WeakPasswordData = { rules: string[] }
