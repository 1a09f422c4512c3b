import { z } from 'zod'
import { Empty, get, Id, post } from './endpoint.ts'
import { SignInPolicy } from './sign-in-policy.ts'

/** What a page must know to judge a new password with rules/password-strength.ts while it is typed. */
export const PasswordPolicy = SignInPolicy.pick({
  passwordMinLength: true,
  passwordMaxLength: true,
  passwordLevel: true,
  passwordHistory: true,
})
export type PasswordPolicy = z.infer<typeof PasswordPolicy>

export const queryPasswordPolicy = get('/login_config/password_policy/', 'public', Empty, PasswordPolicy, {
  summary: 'The demands on a new password',
})

/** Refuses before hashing what nobody types; the policy's own bounds are told by name. */
const Password = z.string().min(1).max(1024)

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
