export { findAccountDenials } from './account-denials.service.ts'
export { addressGroup, addressMac } from './address-mac.rules.ts'
export { type AttemptSlot, withAttemptSlot } from './attempt-slots.service.ts'
export { purgeAttempts } from './attempts.jobs.ts'
export {
  countFailure,
  countFailureInTransaction,
  isBlocked,
  minutesToWait,
  waitOf,
  windowStart,
} from './attempts.service.ts'
export {
  type AttemptCounter,
  addressFailureCount,
  addressKey,
  countAddressFailures,
  counterReset,
  deleteAddressFailures,
  deleteCounter,
  deleteCountersOfUsers,
  deleteLoginHolds,
  findCounter,
  isLoginHold,
  type LoginCounterKind,
  lockReset,
  loginHoldColumns,
  recentFailureCount,
} from './attempts.store.ts'
export { isCaptchaDue, type LoginEvent, replayCaptchas } from './captcha-due.rules.ts'
export { judgeApplication, judgeLogin, type LoginDenial, type LoginHolds } from './login-judgement.rules.ts'
export { endLoginLocks } from './login-lock-ends.service.ts'
export { findFirstLock } from './replay.rules.ts'
export { findRuleDenials, refusedApplications, rulesAgainst } from './rule-denials.service.ts'
