import { z } from 'zod'
import { get, Id, ListQuery, pageOf } from './endpoint.ts'
import { Period } from './list-filters.ts'
import { MESSAGE_CHANNELS } from './message-routes.ts'

/** A verification code that no channel of its route delivered. */
export const UndeliveredCode = z.object({
  id: Id,
  /** When its last attempt failed, or it expired. */
  at: z.iso.datetime(),
  channel: z.enum(MESSAGE_CHANNELS),
  /** `code.login` and so on; each has the message `message-template.name.<template>`. */
  template: z.string(),
  /** The address or number, masked. */
  to: z.string(),
  /** `expired`: the channel did not accept it in time. */
  state: z.enum(['failed', 'expired']),
  /** Of the last attempt, as `message-reason.<reason>`. */
  reason: z.string().nullable(),
  userId: Id.nullable(),
  person: z.string().nullable(),
  personAccount: z.string().nullable(),
})
export type UndeliveredCode = z.infer<typeof UndeliveredCode>

export const listUndeliveredCodes = get(
  '/undelivered_code/query/',
  'superUser',
  ListQuery.omit({ search: true }).extend({ channel: z.enum(MESSAGE_CHANNELS).optional(), ...Period }),
  pageOf(UndeliveredCode),
  { summary: 'Verification codes that no channel delivered, newest first', errors: ['list.too-deep'] },
)
