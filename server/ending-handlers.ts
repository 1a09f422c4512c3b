import { appointmentEndings } from './features/administrators/index.ts'
import { grantEndings } from './features/application-grants/index.ts'
import type { EndingHandler } from './features/organizations/index.ts'
import { roleEndings } from './features/roles/index.ts'

/** What features do when an organisation ends that they keep something about. */
export const ENDING_HANDLERS: readonly EndingHandler[] = [grantEndings, roleEndings, appointmentEndings]
