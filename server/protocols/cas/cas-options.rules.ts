import { CasOptions } from '#shared/contract/application-fields.ts'
import type { Application } from '../../features/applications/index.ts'

const DEFAULTS = CasOptions.parse({})

/** A switch that can't be read counts as not set: it was written by an administrator's form, which checks it. */
export const casOptionsOf = (application: Pick<Application, 'casOptions'>): CasOptions => {
  if (Object.keys(application.casOptions).length === 0) return DEFAULTS
  const parsed = CasOptions.safeParse(application.casOptions)
  return parsed.success ? parsed.data : DEFAULTS
}
