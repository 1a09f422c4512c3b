import type { Application } from '../applications/index.ts'
import type { LoginCounterKind } from '../attempts/index.ts'
import type { SecondFactor, SsoSession } from '../sessions/index.ts'

/** Where a login leads and which session it replaces. */
export type LoginTarget = {
  /** The application to enter; null without a service. */
  application: Application | null
  /** The sign-on session this browser had: renewed for the same person, ended for another. */
  replaces: SsoSession | null
  /** An application's server sends the password: no cookie is set, no device becomes known, no second factor is asked for. */
  withoutBrowser?: boolean
}

/** One login, by whatever method, from the credential to the session. */
export type LoginAttempt = LoginTarget & {
  /** `user` (password), `captcha` (code), `passkey`, or the key of a third-party provider. */
  authType: string
  /** Null: nobody, or not known yet. */
  userId: string | null
  /** For the record: what was typed if it is a name of theirs, else the account; masked if nobody has it. */
  account: string
  rememberMe: boolean
  warn: boolean
  /** When the verified password was set, to the microsecond: a change since then invalidates the verification. */
  passwordChangedAt?: string | null
  /** The failures that a success clears. */
  counters?: LoginCounters | null
  /** Already proved; absent: asked for if a rule or the person wants it. */
  secondFactor?: SecondFactor | null
  /** Logins that the person chose to end for this one. */
  ends?: readonly string[]
}

/** Failure counters of one login, their keys in hex: a pending login is stored as JSON. */
export type LoginCounters = { kind: LoginCounterKind; key: string; addressKey: string }
