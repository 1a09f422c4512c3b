import { z } from 'zod'
import { PASSWORD_RULES } from '../rules/password-strength.ts'
import { Empty, get, Id, post } from './endpoint.ts'
import { PasswordPolicy } from './passwords.ts'
import { SignInPolicy } from './sign-in-policy.ts'

export type PolicyKey = keyof SignInPolicy
export const POLICY_KEYS = Object.keys(SignInPolicy.shape) as PolicyKey[]

const PolicyKeyName = z.enum(Object.keys(SignInPolicy.shape) as [PolicyKey, ...PolicyKey[]])

/** Some keys of the sign-in policy; absent keys stay absent instead of getting their default. */
const SomeOfPolicy = z.strictObject(
  Object.fromEntries(Object.entries(SignInPolicy.shape).map(([key, field]) => [key, field.unwrap().optional()])),
) as unknown as z.ZodType<Partial<SignInPolicy>>

/** The stored login configuration; missing keys have their default. */
export const LoginConfig = z.object({
  version: z.number().int(),
  values: SomeOfPolicy,
  /** Keys that the bootstrap file sets: they can only be changed there. */
  setByFile: z.array(PolicyKeyName),
  /** Keys whose stored value is invalid: they have their default, and the next save removes them. */
  unreadable: z.array(PolicyKeyName),
})
export type LoginConfig = z.infer<typeof LoginConfig>

/** Refusals of a login configuration that contradicts itself or locks out its author; each names the fields. */
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
  /** Keys to reset to their default. */
  reset: z.array(PolicyKeyName).max(POLICY_KEYS.length).default([]),
}

/** An unsaved change of the page. */
export const LoginConfigDraft = z.strictObject(Edit)
export type LoginConfigDraft = z.infer<typeof LoginConfigDraft>

export const loginConfigDetails = get('/login_config/details/', 'superUser', Empty, LoginConfig, {
  summary: 'The login configuration: stored values, and those set by the bootstrap file',
})

export const updateLoginConfig = post(
  '/login_config/update/',
  'superUser',
  z.strictObject({
    version: z.number().int().min(0),
    ...Edit,
    /** Save although it locks the caller out: reverts unless confirmed from a new login. */
    force: z.boolean().default(false),
  }),
  LoginConfig,
  {
    summary: 'Change the login configuration; a conflict returns the stored document as `current`',
    errors: ['version.conflict', 'settings.set-by-file', 'unconfirmed-change.pending', ...LOGIN_CONFIG_ERRORS],
  },
)

/** The rules for testing a password; unlike the public ones including the blocked words. */
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
    /** Whose password it would be: it must not contain their data. */
    userId: Id.optional(),
    /** The rules to test with, saved or not. */
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
    /** The rules for this person, or for anybody without special demands. */
    holds: SignInPolicy.pick({
      passwordMinLength: true,
      passwordLevel: true,
      passwordHistory: true,
      passwordMaxAgeDays: true,
    }).strip(),
  }),
  {
    summary: 'Check a password against each rule; nothing is stored or logged',
    errors: ['user.not-found'],
  },
)
