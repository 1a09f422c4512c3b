import { z } from 'zod'
import { parseWebAddress } from '#shared/rules/redirect-target.ts'

const LONGEST = 2000

const usable = (value: string): URL | null => (value.length <= LONGEST ? parseWebAddress(value) : null)

/** An address that people open; a fragment is how some applications name their pages. */
export const PageAddress = z
  .string()
  .refine((value) => usable(value) !== null, 'expected an http or https address without user name, space or backslash')

/** An address that we call or redirect to, exactly as written. */
export const ExactAddress = PageAddress.refine(
  (value) => !/[#*]/.test(value),
  'expected an address without fragment or wildcard',
)

/** A registered service address: exact, or a folder and everything below it, ending in `/**`. */
export const ServiceAddress = z
  .string()
  .refine(
    (value) => usable(value.endsWith('/**') ? value.slice(0, -2) : value) !== null,
    'expected an http or https address without user name, space or backslash',
  )
  .refine((value) => {
    const rest = value.endsWith('/**') ? value.slice(0, -3) : value
    return !/[#*]/.test(rest) && !(value.endsWith('/**') && rest.includes('?'))
  }, 'expected an exact address, or one that ends in /** and has no other wildcard, query or fragment')

/** A picture: an address, or a path on this server. */
export const PictureAddress = z
  .string()
  .refine(
    (value) => usable(value) !== null || /^\/(auth_web|auth_service)\/[\w./?=&-]{1,500}$/.test(value),
    'expected an http or https address, or a path below /auth_web/ or /auth_service/',
  )
