import { z } from 'zod'
import { Done, get, post } from './endpoint.ts'
import { PERSON_NOT_VISIBLE_ERRORS, PersonPath } from './users.ts'

/** Why a new login of somebody would be refused, or was. */
export const LoginCheck = z.object({
  /** The gravest first, each with the message `obstacle.<name>`; empty: the right password lets them in. */
  obstacles: z.array(z.object({ reason: z.string(), until: z.iso.datetime().nullable() })),
  /** The last try, where it failed and none has succeeded since. */
  lastFailure: z
    .object({
      at: z.iso.datetime(),
      /** Each with the message `login-reason.<name>`. */
      reason: z.string(),
      /** Names of the access rules that spoke. */
      rules: z.array(z.string()),
      /** Told to super users. */
      ip: z.string().nullable(),
    })
    .nullable(),
  /** The last verification code of the last day; null: none was asked for, or not by way of this account. */
  lastCode: z
    .object({
      at: z.iso.datetime(),
      channel: z.enum(['mail', 'sms']),
      /** Masked. */
      to: z.string(),
      state: z.enum(['pending', 'sent', 'failed', 'expired']),
      /** Each with the message `message-reason.<name>`. */
      reason: z.string().nullable(),
      /** What the gateway said; told to super users. */
      words: z.string().nullable(),
    })
    .nullable(),
  /** Contacts that an administrator wrote down: no code goes there and no login begins there before `until`; null: until they confirm it. */
  coolingContacts: z.array(z.object({ kind: z.enum(['phone', 'mailbox']), until: z.iso.datetime().nullable() })),
})
export type LoginCheck = z.infer<typeof LoginCheck>

export const checkLogin = get('/user_information/{id}/login_check/', 'administrator', PersonPath, LoginCheck, {
  summary: 'Why somebody can not log in: what a login would be refused for, and why the last one failed',
  errors: PERSON_NOT_VISIBLE_ERRORS,
})

const GivenAddress = z.strictObject({ ip: z.string().trim().min(1).max(60) })

export const checkAddress = get(
  '/login_check/address/',
  'superUser',
  GivenAddress,
  z.object({
    /** As it was read; of IPv6 the whole network of a household counts as one. */
    ip: z.string(),
    /** Different names that failed from there of late, counted up to what is borne. */
    failures: z.number().int(),
    /** So many, and logins from there must solve a captcha. */
    captchaFrom: z.number().int(),
    /** Codes that were asked for from there within the hour. */
    codes: z.number().int(),
    /** So many, and no further code is sent. */
    mostCodes: z.number().int(),
    codesUntil: z.iso.datetime().nullable(),
  }),
  {
    summary: 'What failed logins and requests for codes have led to at an address',
    errors: ['login-check.bad-address'],
  },
)

export const releaseAddress = post('/login_check/address/release/', 'superUser', GivenAddress, Done, {
  summary: 'Forget the failures and the requests for codes that are counted at an address',
  errors: ['login-check.bad-address'],
})
