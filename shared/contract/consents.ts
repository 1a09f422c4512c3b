import { z } from 'zod'
import { get, post } from './endpoint.ts'

/** An application that a person gave consent to. */
const Consent = z.object({
  appId: z.string(),
  /** In the caller's language. */
  name: z.string(),
  /** A path on this server. */
  picture: z.string().nullable(),
  scopes: z.array(z.string()),
  givenAt: z.iso.datetime(),
})
export type Consent = z.infer<typeof Consent>

export const listMyConsents = get(
  '/consents/',
  'user',
  z.strictObject({}),
  z.object({ records: z.array(Consent), total: z.number().int() }),
  { summary: 'The applications that I gave consent to' },
)

export const withdrawConsent = post(
  '/consents/withdraw/',
  'user',
  z.strictObject({ appId: z.string().min(1).max(100) }),
  z.object({ withdrawn: z.boolean() }),
  { summary: 'Revoke a consent; the application’s tokens of mine end immediately' },
)
