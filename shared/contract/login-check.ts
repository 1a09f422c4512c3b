import { z } from 'zod'
import { Done, get, post } from './endpoint.ts'
import { MESSAGE_CHANNELS } from './message-routes.ts'
import { PERSON_NOT_VISIBLE_ERRORS, PersonPath } from './users.ts'

/** What a login requires first, each with the message `login-step.reason.account.<name>`. */
const LoginDemand = z.enum(['password-change', 'password-old', 'profile-due'])
export type LoginDemand = z.infer<typeof LoginDemand>

/** Why a new login of a person would be refused, or was. */
export const LoginCheck = z.object({
  /** The most serious first, each with the message `obstacle.<name>`; empty: the right password is enough. */
  obstacles: z.array(z.object({ reason: z.string(), until: z.iso.datetime().nullable() })),
  /** Names of the access rules that reject them now, from everywhere or from some networks. */
  refusedBy: z.object({ everywhere: z.array(z.string()), somewhere: z.array(z.string()) }),
  demands: z.array(LoginDemand),
  /** The last attempt, if it failed and none has succeeded since. */
  lastFailure: z
    .object({
      at: z.iso.datetime(),
      /** Each with the message `login-reason.<name>`. */
      reason: z.string(),
      /** Names of the access rules that applied. */
      rules: z.array(z.string()),
      /** Only for super users. */
      ip: z.string().nullable(),
    })
    .nullable(),
  /** The last verification code within a day; null: none was requested, or not through this account. */
  lastCode: z
    .object({
      at: z.iso.datetime(),
      channel: z.enum(MESSAGE_CHANNELS),
      /** Masked. */
      to: z.string(),
      state: z.enum(['pending', 'sent', 'failed', 'expired']),
      /** Each with the message `message-reason.<name>`. */
      reason: z.string().nullable(),
      /** The other side's own code; null: it gave none. */
      code: z.string().nullable(),
      /** The gateway's message; only for super users. */
      words: z.string().nullable(),
    })
    .nullable(),
  /**
   * Contacts entered by an administrator: not used for codes and logins before `until`; null: until the person confirms
   * them.
   */
  coolingContacts: z.array(z.object({ kind: z.enum(['phone', 'mailbox']), until: z.iso.datetime().nullable() })),
})
export type LoginCheck = z.infer<typeof LoginCheck>

export const checkLogin = get('/user_information/{id}/login_check/', 'administrator', PersonPath, LoginCheck, {
  summary: 'Why somebody can not log in: the reasons for a refusal, and why the last login failed',
  errors: PERSON_NOT_VISIBLE_ERRORS,
})

const GivenAddress = z.strictObject({ ip: z.string().trim().min(1).max(60) })

export const checkAddress = get(
  '/login_check/address/',
  'superUser',
  GivenAddress,
  z.object({
    /** As interpreted; for IPv6 the whole network of a household counts as one. */
    ip: z.string(),
    /** Number of distinct names that failed from there recently, counted up to the limit. */
    failures: z.number().int(),
    /** From this number on logins from there must solve a captcha. */
    captchaFrom: z.number().int(),
    /** Codes requested from there within the hour. */
    codes: z.number().int(),
    /** From this number on no further code is sent. */
    mostCodes: z.number().int(),
    codesUntil: z.iso.datetime().nullable(),
  }),
  {
    summary: 'The effect of failed logins and requested codes on an address',
    errors: ['login-check.bad-address'],
  },
)

export const releaseAddress = post('/login_check/address/release/', 'superUser', GivenAddress, Done, {
  summary: 'Reset the counters of failures and requested codes of an address',
  errors: ['login-check.bad-address'],
})
