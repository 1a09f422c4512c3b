import { z } from 'zod'
import { type AddressKind, type AddressProblem, addressProblem } from '../rules/application-address.ts'
import { parseWebAddress } from '../rules/redirect-target.ts'

const REASONS: Record<AddressProblem, string> = {
  'not-web': 'expected an http or https address without user name, space or backslash',
  host: 'expected an address of one host, without wildcard',
  'dot-segment': 'expected an address without . or .. as a part of its path',
  wildcard: 'expected an address without fragment or wildcard',
  prefix: 'expected an exact address, or one that ends in /** and has no other wildcard, query or fragment',
  insecure: 'expected https, or an address of the own device such as http://127.0.0.1',
}

const address = (kind: AddressKind) =>
  z.string().superRefine((value, context) => {
    const problem = addressProblem(kind, value)
    if (problem) context.addIssue({ code: 'custom', message: REASONS[problem] })
  })

/** An address that people open; it may have a fragment, which some applications use for routing. */
export const PageAddress = address('page')

/** An address that we call or redirect to, exactly as written. */
export const ExactAddress = address('exact')

/** A registered service address: exact, or a folder and everything below it, ending in `/**`. */
export const ServiceAddress = address('service')

/** The target of codes and tokens: encrypted, or on the person's own device. */
export const RedirectAddress = address('redirect')

/** A picture: an address, or a path on this server. */
export const PictureAddress = z
  .string()
  .refine(
    (value) =>
      (value.length <= 2000 && parseWebAddress(value) !== null) ||
      /^\/(auth_web|auth_service)\/[\w./?=&-]{1,500}$/.test(value),
    'expected an http or https address, or a path below /auth_web/ or /auth_service/',
  )
