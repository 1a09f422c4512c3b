export { deviceMatches, providerOfLogin } from './current-logins.store.ts'
export { type GateSettings, loadGateSettings, loadServerGateSettings } from './gate-settings.service.ts'
export { kickOutTask } from './kick-out-all.jobs.ts'
export { authenticate, authenticateOrExplain, issueExchangeCode } from './portal-session.service.ts'
export { findProxyGrant, insertProxyGrant } from './proxy-grants.store.ts'
export { rotateSecrets, setSecretCookies } from './secrets-rotate.service.ts'
export { insertTicket, insertTicketWithVisit, type TicketFacts } from './service-tickets.store.ts'
export { activityCutoff } from './session-activity.rules.ts'
export { INSERT_CLIENT } from './session-clients.store.ts'
export {
  browserIdOf,
  clearPendingLoginCookie,
  clearPortalCookie,
  clearSsoCookie,
  deviceCookieOf,
  ensureBrowserId,
  pendingLoginCookieOf,
  portalCookieName,
  previousBrowserIdOf,
  rotateBrowserCookie,
  setDeviceCookie,
  setPendingLoginCookie,
  setSsoCookie,
  setTrustCookie,
  ssoCookieOf,
  trustCookieOf,
} from './session-cookies.service.ts'
export { findSessionLimitStep, limitSessions, SessionLimitError } from './session-limit.service.ts'
export { countAboveLimit } from './session-limit.store.ts'
export {
  byShape,
  personColumns,
  personJoins,
  releasedPersonColumns,
  type SessionShape,
  sessionColumns,
  sessionShape,
} from './session-shape.rules.ts'
export { endSessionsAt, endSessionsOfBlockedUsers, endStaleSessions, purgeSessions, staleBy } from './sessions.jobs.ts'
export { mountSessions } from './sessions.routes.ts'
export {
  endSsoSessions,
  findBrowserSession,
  findBrowserSessionById,
  findServerSessionById,
  findSsoSessionById,
  issueTicketOnSession,
  type OpenedSession,
  openSsoSession,
  redeemTicket,
  type SsoSession,
  saveSecondFactor,
  toBrowserSession,
  toSsoSession,
  touchSession,
} from './sso-session.service.ts'
export {
  clearTrustedFactors,
  completeGrants,
  loadPersonAttributes,
  type SecondFactor,
  type SessionRow,
} from './sso-session.store.ts'
export { findEndingSessions } from './stale-sessions.store.ts'
export { revokeAccess, revokeWithdrawnAccess } from './withdrawn-access.service.ts'
