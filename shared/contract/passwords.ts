import { z } from 'zod'
import { PASSWORD_RULES } from '../rules/password-strength.ts'
import { Empty, get, Id, post } from './endpoint.ts'
import { RecoveryMethod } from './password-recovery.ts'
import { SignInPolicy } from './sign-in-policy.ts'

/** What a page needs to check a new password with rules/password-strength.ts while typing. */
export const PasswordPolicy = SignInPolicy.pick({
  passwordMinLength: true,
  passwordMaxLength: true,
  passwordLevel: true,
  passwordHistory: true,
  passwordContext: true,
})
export type PasswordPolicy = z.infer<typeof PasswordPolicy>

export const queryPasswordPolicy = get('/login_config/password_policy/', 'public', Empty, PasswordPolicy, {
  summary: 'The rules of a new password; with a session, those of my password',
})

/** Refuses impossible lengths before hashing; the policy's own limits are checked by name. */
const Password = z.string().min(1).max(1024)

const Proof = z.string().min(1).max(100)

/**
 * Whose password it will be: the session's, that of a recovery or activation whose proof the page has, or of a person
 * about to be created.
 */
export const PasswordSubject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('session') }),
  z.strictObject({ kind: z.literal('recovery'), id: z.string().min(1).max(100), method: RecoveryMethod, proof: Proof }),
  z.strictObject({ kind: z.literal('activation'), proof: Proof }),
  z.strictObject({ kind: z.literal('typed'), account: z.string().max(256), name: z.string().max(256) }),
])
export type PasswordSubject = z.infer<typeof PasswordSubject>

/**
 * Checks a candidate as the change itself will, so that a page never accepts what is refused later. Nothing is stored.
 * Former passwords are not compared, because each costs a hash.
 */
export const checkPassword = post(
  '/login_config/judge_password/',
  'public',
  z.strictObject({ password: Password, subject: PasswordSubject }),
  /** The broken rules; none: acceptable. */
  z.object({
    rules: z.array(z.enum(PASSWORD_RULES)),
    /** The policy used, including the person's demands. */
    policy: PasswordPolicy,
  }),
  {
    summary: 'Which rules a new password would break',
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
 * Changes one's own password. The old one is required, except right after a login that must change it: that session has
 * just verified it. Ends all other sessions of the person; this one gets new cookies and the `token` in the answer, and
 * is then unrestricted.
 */
export const updatePassword = post(
  '/user_information/{id}/update_password/',
  'limited',
  z.strictObject({ oldPassword: Password.optional(), newPassword: Password }),
  z.object({
    token: z.string(),
    /** How many of my other logins were ended. */
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

/** `data` of `password.too-weak`: every broken rule of rules/password-strength.ts; messages `password.rule.<rule>`. */
export type WeakPasswordData = { rules: string[] }
