import type { z } from 'zod'
import type { NetworkProblem } from '../platform/network-problem.ts'
import type { Platform } from '../platform/platform.ts'

/** What a connector may use of the platform. */
export type ConnectorContext = Pick<Platform, 'fetch' | 'now' | 'cache' | 'log' | 'sql' | 'state' | 'secrets'>

/** One login of a browser at the provider. It stays on the server except for what `authorizeUrl` puts into the URL. */
export type AuthorizationAttempt = {
  /** The constant URL that is registered at the provider. */
  redirectUri: string
  /** Letters and digits only: some providers accept nothing else. */
  state: string
  nonce: string
  /** For PKCE. */
  codeVerifier: string
  /** The browser is the vendor's own, in which the person is already logged in. */
  inApp: boolean
}

/** What a provider may say about a person besides the subject. */
export const CLAIMS = ['name', 'number', 'phone', 'mailbox', 'role', 'orgCode', 'orgName', 'avatar'] as const
export type Claims = Partial<Record<(typeof CLAIMS)[number], string>>

/** A person at an identity provider. */
export type ThirdPartyIdentity = {
  /** Corporation, application or issuer within which the subject is unique and stable. */
  realm: string
  /** Has passed `parseSubject`. */
  subject: string
  /** The same person by an id used before a better one was available: an account linked to it is moved. */
  former?: { realm: string; subject: string }
  claims: Claims
  /** The claims that the provider has verified itself: a phone number that was only typed in proves nothing. */
  verified: readonly ('phone' | 'mailbox')[]
}

/** A configured provider. */
export type Connection = {
  /** Where the browser is redirected. @throws ConnectorFault */
  authorizeUrl(attempt: AuthorizationAttempt): Promise<string>
  /** The page with the code to scan that the login page frames; for a connector with `frameOrigin`. */
  frameUrl?(attempt: AuthorizationAttempt): string
  /**
   * Who returned.
   * @param returned the parameters of the callback, each given once.
   * @throws ConnectorFault
   */
  exchange(attempt: AuthorizationAttempt, returned: Readonly<Record<string, string>>): Promise<ThirdPartyIdentity>
  /** The host to call. */
  host: string
  /** What can be tested without a person, in this order. */
  checks?: readonly ConnectionCheck[]
  /**
   * Sends a message to a person as the application itself.
   * @returns the vendor's message id.
   * @throws ConnectorFault `not-visible`, `not-member` if it certainly reaches nobody.
   */
  notify?(message: VendorMessage): Promise<string>
}

export type VendorMessage = {
  /** The subject of an identity. */
  to: string
  text: string
  /** DingTalk's number of the app that sends notifications; WeCom has it in its settings. */
  agentId: string
}

/** One thing that must be right at the provider. */
export type ConnectionCheck = {
  step: 'addresses' | 'secret' | 'corporation' | 'application' | 'account' | 'permission' | 'range' | 'callback'
  /** @param redirectUri the URL that must be registered there. @throws ConnectorFault */
  run(redirectUri: string): Promise<void>
}

/** One kind of provider. */
export type Connector = {
  /** The schema of the settings, secrets included. */
  settings: z.ZodType<object>
  /** Names of the settings that are sealed at rest, and never shown or sent to a browser. */
  secrets: readonly string[]
  /** Settings that determine where a secret is sent, and whose it is; absent: every text setting. */
  destination?: readonly string[]
  /** The user agent of the vendor's own browser; absent if there is none, or none that logs in on its own. */
  ownBrowser?: RegExp
  /** Does a login in the vendor's own browser ask nothing, with these settings? @param stored without the secrets */
  isSilent?(stored: unknown): boolean
  /** The one origin of the page with the code to scan; absent if there is none. @param stored without the secrets */
  frameOrigin?(stored: unknown): string | null
  /** @param stored settings and secrets; parsed again */
  open(outside: ConnectorContext, stored: unknown): Connection
}

/**
 * `cancelled` the person declined · `refused` the provider did not accept what it was given, such as a used code · `unavailable` no answer
 * in time, or an internal error · `unusable` an answer that does not identify a person, or can't be trusted · `misconfigured` our own
 * settings or permissions there are wrong: nobody can log in until an administrator fixes them · `not-member` known there, but not a member
 * of the institution · `not-visible` a member, but the application is not visible to them there · `snapshot` a temporary account created by
 * the vendor for a mere viewer · `signed-out` what the vendor issued for this login has expired, and a new login would replace it.
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

/** Why an exchange failed. `detail` is for the log: a step and a code, never a token, a login code or a secret. */
export class ConnectorFault extends Error {
  readonly reason: ConnectorFaultReason
  readonly detail: string
  /** The vendor's own code; null if it gave none. */
  readonly vendorCode: string | null
  /** Why there was no answer at all, or only part of one; null: the other side has answered. */
  readonly network: NetworkProblem | null

  constructor(
    reason: ConnectorFaultReason,
    detail: string,
    vendorCode: string | null = null,
    network: NetworkProblem | null = null,
  ) {
    super(`${reason}: ${detail}`)
    this.reason = reason
    this.detail = detail
    this.vendorCode = vendorCode
    this.network = network
  }
}

/** An inconclusive check: the answer may be about the made-up code, or about the application. */
export class UnclearAnswer extends ConnectorFault {}
