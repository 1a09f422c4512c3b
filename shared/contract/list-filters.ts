import { z } from 'zod'
import { Moment } from './endpoint.ts'

/** Filters shared by several lists. */
export const ClientType = z.enum(['pc', 'mobile', 'tablet', 'other'])
export const CLIENT_TYPES = ClientType.options

/** '1': on campus. */
export const OnCampus = z.enum(['0', '1'])

/** The beginning of an address, or a network such as 10.0.0.0/8. */
export const AddressFilter = z
  .string()
  .trim()
  .max(60)
  .regex(/^[\da-fA-F.:/]*$/)

/** From the first time until before the second. */
export const Period = {
  from: Moment.optional(),
  to: Moment.optional(),
}

/** A built-in login type, `third-party` for all others, or the key of a provider. */
export const AuthTypeFilter = z.string().regex(/^[\w-]{1,60}$/)
