import { z } from 'zod'
import { get, Id } from './endpoint.ts'

/** More would make the address too long for servers. */
export const MAX_SESSION_IDS = 100

const SessionIds = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(Id).min(1).max(MAX_SESSION_IDS))

export const LogoutDelivery = z.object({
  applicationId: Id,
  application: z.string(),
  /** Logout messages that the application accepted. */
  delivered: z.number().int(),
  /** Being sent, or due for a retry. */
  pending: z.number().int(),
  /** Front-channel messages that wait for the person's browser. */
  inBrowser: z.number().int(),
  failed: z.number().int(),
  /** Why the latest one failed, such as `HTTP 500` or `ECONNREFUSED`. */
  error: z.string().nullable(),
  /** Sessions at the application, which accepts no logout messages: its own sessions continue. */
  notTold: z.number().int(),
})
export type LogoutDelivery = z.infer<typeof LogoutDelivery>

export const listLogoutDeliveries = get(
  '/current_login_manage/logout_deliveries/',
  'superUser',
  z.strictObject({
    /** Ids of ended sessions, comma-separated. */
    ids: SessionIds,
  }),
  z.array(LogoutDelivery),
  { summary: 'The logout deliveries of ended sessions, by application' },
)
