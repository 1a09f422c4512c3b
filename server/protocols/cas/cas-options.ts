import { z } from 'zod'
import type { Application } from '../../features/applications/index.ts'

/** Compatibility switches of one application: column `cas_options`. */
const CasOptions = z.object({
  /** Attributes also in answers of protocol 2.0 (/serviceValidate, /proxyValidate). */
  attributesInCas2: z.boolean().default(false),
  /** /validate answers the user name in a second line, which the widespread clients of protocol 1.0 read. */
  validateUserLine: z.boolean().default(true),
  /** The key of a refusal of /proxy in JSON: the specification's example and its XML differ. */
  proxyFailureJson: z.enum(['proxyFailure', 'authenticationFailure']).default('proxyFailure'),
  /** A failed proxy call-back leaves the proxy-granting ticket out instead of failing the validation. */
  succeedWithoutPgt: z.boolean().default(false),
})
export type CasOptions = z.output<typeof CasOptions>

const DEFAULTS = CasOptions.parse({})

/** A switch that can't be read counts as not set: it was written by an administrator's form, which checks it. */
export const casOptionsOf = (application: Pick<Application, 'casOptions'>): CasOptions => {
  if (Object.keys(application.casOptions).length === 0) return DEFAULTS
  const parsed = CasOptions.safeParse(application.casOptions)
  return parsed.success ? parsed.data : DEFAULTS
}
