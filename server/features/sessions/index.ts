export {
  bindBrowser,
  browserOf,
  clearPending,
  clearPortalCookie,
  clearSsoCookie,
  deviceOf,
  pendingOf,
  portalCookieName,
  setDevice,
  setPending,
  setTrust,
  ssoCookieOf,
  trustOf,
} from './cookies.ts'
export { authenticate, issueHandOver } from './portal-session.service.ts'
export { renewSecrets, sendSecrets } from './renew-secrets.ts'
export { endSessionsOfStopped, endStaleSessions, purgeSessions } from './sessions.jobs.ts'
export { mountSessions } from './sessions.routes.ts'
export {
  browserSessionById,
  browserSessionFrom,
  endSsoSessions,
  noteSecondFactor,
  openSsoSession,
  type SsoSession,
  sessionFrom,
  sessionOfTicket,
  ssoSessionById,
  ssoSessionOf,
  touch,
} from './sso-session.service.ts'
export { personColumns, type SecondFactor, type SessionRow, sessionColumns } from './sso-session.store.ts'
export { endAccess, endWithdrawnAccess } from './withdrawn-access.service.ts'
