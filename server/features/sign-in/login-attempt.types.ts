import type { Application } from '../applications/index.ts'
import type { LoginCounterKind } from '../attempts/index.ts'
import type { SecondFactor, SsoSession } from '../sessions/index.ts'

/** Where a login leads and what it replaces. */
export type LoginTarget = {
  /** To be entered; null without a service. */
  application: Application | null
  /** The sign-on session this browser had: renewed for the same person, ended for another. */
  replaces: SsoSession | null
  /** An application's server brings the password: no cookie is set, no device becomes known, no second step is offered. */
  withoutBrowser?: boolean
}

/** One login, by whatever method, from the credential to the session. */
export type LoginAttempt = LoginTarget & {
  /** `user` (password), `captcha` (code), `passkey`, or the key of a third-party provider. */
  authType: string
  /** Null: nobody, or not known yet. */
  userId: string | null
  /** For the record: what was typed if it is theirs, else the account; masked for nobody. */
  account: string
  rememberMe: boolean
  warn: boolean
  /** When the proven password was set, to the microsecond: a change since then voids the proof. */
  passwordChangedAt?: string | null
  /** The failures that a success clears. */
  counters?: LoginCounters | null
  /** Proved already; absent: it is asked for where a rule or the person wants it. */
  secondFactor?: SecondFactor | null
  /** Logins of theirs that they chose to end for this one. */
  ends?: readonly string[]
}

/** Failure counters of one login, their keys in hex: a pending login is stored as JSON. */
export type LoginCounters = { kind: LoginCounterKind; key: string; addressKey: string }
