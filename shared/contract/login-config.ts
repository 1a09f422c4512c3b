import { z } from 'zod'
import { PASSWORD_RULES } from '../rules/password-strength.ts'
import { Empty, get, Id, post } from './endpoint.ts'
import { PasswordPolicy } from './passwords.ts'
import { SignInPolicy } from './sign-in-policy.ts'

export type PolicyKey = keyof SignInPolicy
export const POLICY_KEYS = Object.keys(SignInPolicy.shape) as PolicyKey[]

const PolicyKeyName = z.enum(Object.keys(SignInPolicy.shape) as [PolicyKey, ...PolicyKey[]])

/** Some keys of the sign-in policy; what is absent is absent, not its default. */
const SomeOfPolicy = z.strictObject(
  Object.fromEntries(Object.entries(SignInPolicy.shape).map(([key, field]) => [key, field.unwrap().optional()])),
) as unknown as z.ZodType<Partial<SignInPolicy>>

/** The login configuration as it is stored; what is not in it has its default. */
export const LoginConfig = z.object({
  version: z.number().int(),
  values: SomeOfPolicy,
  /** Keys that the bootstrap file sets: they are changed there. */
  setByFile: z.array(PolicyKeyName),
  /** Keys whose stored value can't be read: they have their default, and the next save takes them away. */
  unreadable: z.array(PolicyKeyName),
})
export type LoginConfig = z.infer<typeof LoginConfig>

/** Refusals of a login configuration that contradicts itself or shuts its author out; each names the fields that it is about. */
export const LOGIN_CONFIG_ERRORS = [
  'login-config.password-lengths',
  'login-config.lock-most-too-short',
  'login-config.idle-exceeds-session',
  'login-config.remembered-too-short',
  'login-config.told-too-early',
  'login-config.password-told-too-early',
  'login-config.unknown-category',
  'login-config.unknown-application',
  'login-config.locks-out',
] as const

const Edit = {
  changes: SomeOfPolicy,
  /** Keys that go back to their default. */
  reset: z.array(PolicyKeyName).max(POLICY_KEYS.length).default([]),
}

/** A change as the page has it before it is saved. */
export const LoginConfigDraft = z.strictObject(Edit)
export type LoginConfigDraft = z.infer<typeof LoginConfigDraft>

export const loginConfigDetails = get('/login_config/details/', 'superUser', Empty, LoginConfig, {
  summary: 'The login configuration: what was set, and what the bootstrap file sets',
})

export const updateLoginConfig = post(
  '/login_config/update/',
  'superUser',
  z.strictObject({
    version: z.number().int().min(0),
    ...Edit,
    /** Save although it locks the caller out: it goes back by itself unless it is confirmed from a new login. */
    force: z.boolean().default(false),
  }),
  LoginConfig,
  {
    summary: 'Change the login configuration; on a conflict the answer has what is stored by now as `current`',
    errors: ['version.conflict', 'settings.set-by-file', 'unconfirmed-change.pending', ...LOGIN_CONFIG_ERRORS],
  },
)

/** The rules that a password is tested by; unlike what everybody may ask for, with the words that none may contain. */
export const TestedPolicy = PasswordPolicy.extend({
  passwordBlockWords: SignInPolicy.shape.passwordBlockWords,
  passwordMaxAgeDays: SignInPolicy.shape.passwordMaxAgeDays,
  passwordRules: SignInPolicy.shape.passwordRules,
})
export type TestedPolicy = z.infer<typeof TestedPolicy>

export const testPassword = post(
  '/login_config/test_password/',
  'superUser',
  z.strictObject({
    password: z.string().min(1).max(1024),
    /** Whose password it would be: of them it must contain nothing. */
    userId: Id.optional(),
    /** To judge by, saved or not. */
    policy: TestedPolicy,
  }),
  z.object({
    rules: z.array(
      z.object({
        rule: z.enum(PASSWORD_RULES),
        /** `not-tested`: without a person there is nothing to compare with; former passwords are never compared. */
        outcome: z.enum(['passed', 'failed', 'not-tested']),
      }),
    ),
    /** What holds for this person, or for somebody on whom no demands of their own are made. */
    holds: SignInPolicy.pick({
      passwordMinLength: true,
      passwordLevel: true,
      passwordHistory: true,
      passwordMaxAgeDays: true,
    }).strip(),
  }),
  {
    summary: 'Judge a password by each rule; nothing of it is stored or logged',
    errors: ['user.not-found'],
  },
)
