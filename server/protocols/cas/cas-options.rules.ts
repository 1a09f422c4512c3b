import { CasOptions } from '#shared/contract/application-fields.ts'
import type { Application } from '../../features/applications/index.ts'

const DEFAULTS = CasOptions.parse({})

/** An unreadable option counts as unset: the administrators' form validates it. */
export const casOptionsOf = (application: Pick<Application, 'casOptions'>): CasOptions => {
  if (Object.keys(application.casOptions).length === 0) return DEFAULTS
  const parsed = CasOptions.safeParse(application.casOptions)
  return parsed.success ? parsed.data : DEFAULTS
}
