import { z } from 'zod'
import { Moment } from './endpoint.ts'

/** Filters that several lists have. */
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

/** From the first moment on, up to and without the second. */
export const Period = {
  from: Moment.optional(),
  to: Moment.optional(),
}

/** One of our own login types, `third-party` for all others, or the key of a provider. */
export const AuthTypeFilter = z.string().regex(/^[\w-]{1,60}$/)
