import type { z } from 'zod'
import type { Platform } from '../platform/platform.ts'

/** What a connector may use of the platform. */
export type ConnectorContext = Pick<Platform, 'fetch' | 'now' | 'cache' | 'log' | 'sql' | 'state' | 'secrets'>

/** One trip of a browser to the provider and back. All of it stays on the server but what `authorizeUrl` puts into its address. */
export type AuthorizationAttempt = {
  /** The constant address that is registered at the provider. */
  redirectUri: string
  /** Letters and digits only: some providers take nothing else. */
  state: string
  nonce: string
  /** Of PKCE. */
  codeVerifier: string
  /** The browser is the vendor's own, in which the person is logged in already. */
  inApp: boolean
}

/** What a provider may say of a person besides who it is. */
export const CLAIMS = ['name', 'number', 'phone', 'mailbox', 'role', 'orgCode', 'orgName', 'avatar'] as const
export type Claims = Partial<Record<(typeof CLAIMS)[number], string>>

/** Somebody at the other system. */
export type ThirdPartyIdentity = {
  /** Corporation, application or issuer within which the subject is unique and stays the same. */
  realm: string
  /** Has passed `parseSubject`. */
  subject: string
  /** The same person by an id that was used before a better one was there: a binding to it follows them. */
  former?: { realm: string; subject: string }
  claims: Claims
  /** The claims that the provider has verified by itself: a phone number that was only typed in proves nothing. */
  verified: readonly ('phone' | 'mailbox')[]
}

/** A provider as it is configured. */
export type Connection = {
  /** Where the browser is sent. @throws ConnectorFault */
  authorizeUrl(attempt: AuthorizationAttempt): Promise<string>
  /** The page with the code to scan that the login page frames; of a connector with `frameOrigin`. */
  frameUrl?(attempt: AuthorizationAttempt): string
  /**
   * Who came back.
   * @param returned the parameters of the callback, each given once.
   * @throws ConnectorFault
   */
  exchange(attempt: AuthorizationAttempt, returned: Readonly<Record<string, string>>): Promise<ThirdPartyIdentity>
  /** Where it is called. */
  host: string
  /** What can be tried without a person, in this order. */
  checks?: readonly ConnectionCheck[]
  /**
   * Sends a message to somebody as the application itself.
   * @returns what the vendor calls it.
   * @throws ConnectorFault `not-visible`, `not-member` when it is certain that it reaches nobody.
   */
  notify?(message: VendorMessage): Promise<string>
}

export type VendorMessage = {
  /** The subject of an identity. */
  to: string
  text: string
  /** DingTalk's number of the app that notifies; WeCom has it in its settings. */
  agentId: string
}

/** One thing that has to be right at the provider. */
export type ConnectionCheck = {
  step: 'addresses' | 'secret' | 'application' | 'permission' | 'range' | 'callback'
  /** @param redirectUri the address that has to be registered there. @throws ConnectorFault */
  run(redirectUri: string): Promise<void>
}

/** One kind of provider. */
export type Connector = {
  /** The settings as they are written, secrets included. */
  settings: z.ZodType<object>
  /** Names of the settings that are sealed at rest, and never shown or sent to a browser. */
  secrets: readonly string[]
  /** Settings that say where a secret is sent, and whose it is; absent: every one that is a text. */
  place?: readonly string[]
  /** What the vendor's own browser says of itself; absent where there is none, or none that logs in by itself. */
  ownBrowser?: RegExp
  /** Does a login in the vendor's own browser ask for nothing, with these settings? @param stored without the secrets. */
  isSilent?(stored: unknown): boolean
  /** The one origin of the page with the code to scan; absent where there is none. @param stored without the secrets. */
  frameOrigin?(stored: unknown): string | null
  /** @param stored settings and secrets; parsed again. */
  open(outside: ConnectorContext, stored: unknown): Connection
}

/**
 * `cancelled` the person said no · `refused` the provider did not accept what it was given, such as a used code ·
 * `unavailable` no answer in time, or an error of its own · `unusable` an answer that does not say who it is, or is not to be believed ·
 * `misconfigured` our own settings or permissions there are wrong: nobody can log in until an administrator mends them ·
 * `not-member` known there, but not as somebody of the institution · `not-visible` of the institution, but the application was not
 * opened to them there · `snapshot` an account that the vendor made up for somebody who only looks · `signed-out` what the vendor gave
 * us for this login counts no longer, and another login would give us anew.
 */
export type ConnectorFaultReason =
  | 'cancelled'
  | 'refused'
  | 'unavailable'
  | 'unusable'
  | 'misconfigured'
  | 'not-member'
  | 'not-visible'
  | 'snapshot'
  | 'signed-out'

/** Why an exchange came to nothing. `detail` is for the log: a step and a code, never a token, a code of a login or a secret. */
export class ConnectorFault extends Error {
  readonly reason: ConnectorFaultReason
  readonly detail: string
  /** The vendor's own code for it; null when it gave none. */
  readonly vendorCode: string | null

  constructor(reason: ConnectorFaultReason, detail: string, vendorCode: string | null = null) {
    super(`${reason}: ${detail}`)
    this.reason = reason
    this.detail = detail
    this.vendorCode = vendorCode
  }
}

/** A check that can't tell: the answer may be about what was made up for it, or about the application. */
export class UnclearAnswer extends ConnectorFault {}
