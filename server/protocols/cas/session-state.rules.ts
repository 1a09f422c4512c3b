import type { DenialReason } from '../../features/access/index.ts'
import type { Application } from '../../features/applications/index.ts'
import type { SsoSession } from '../../features/sessions/index.ts'

/** What a session allows towards the requested service (or without one). */
export type SessionState =
  | 'none'
  | 'refused'
  | 'limited'
  | 'lacking'
  | 'incomplete'
  | 'denied'
  | 'disabled'
  | 'nameless'
  | 'ready'

/** For refusals that another login would not change. */
const STATES: Partial<Record<DenialReason, SessionState>> = {
  'session.limited': 'limited',
  'rule.refused': 'refused',
  'application.not-granted': 'denied',
  'application.disabled': 'disabled',
  'application.user-name-missing': 'nameless',
  'session.second-factor': 'lacking',
  'session.profile-incomplete': 'incomplete',
}

export function sessionStateOf(session: SsoSession | null, application: Application | null): SessionState {
  if (!session) return 'none'
  if (session.refusal) return STATES[session.refusal] ?? 'none'
  if (session.limited) return application ? 'ready' : 'limited'
  if (session.lacksFactor) return 'lacking'
  return session.lacksFields && !application ? 'incomplete' : 'ready'
}
