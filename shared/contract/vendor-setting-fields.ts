import { z } from 'zod'
import { parseWebAddress } from '../rules/redirect-target.ts'

/** The id of an application at a vendor; in an address `.` and `..` would be another path. */
export const vendorId = z
  .string()
  .trim()
  .regex(/^(?!\.+$)[\w.-]{1,100}$/)
export const vendorSecret = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[\x21-\x7e]+$/)
/** An origin, without a path. */
export const vendorHost = z
  .string()
  .trim()
  .max(300)
  .refine((value) => parseWebAddress(value)?.origin === value, { params: { reason: 'origin' } })
