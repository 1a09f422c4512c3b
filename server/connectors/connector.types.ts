import type { z } from 'zod'
import type { Platform } from '../platform/platform.ts'

/** What a connector may use of the platform. */
export type ConnectorContext = Pick<Platform, 'fetch' | 'now' | 'cache' | 'log'>

/** One trip of a browser to the provider and back. All of it stays on the server but what `authorizeUrl` puts into its address. */
export type AuthorizationAttempt = {
  /** The constant address that is registered at the provider. */
  redirectUri: string
  /** Letters and digits only: some providers take nothing else. */
  state: string
  nonce: string
  /** Of PKCE. */
  codeVerifier: string
}

/** What a provider may say of a person besides who it is. */
export const CLAIMS = ['name', 'number', 'phone', 'mailbox', 'role', 'orgCode', 'orgName', 'avatar'] as const
export type Claims = Partial<Record<(typeof CLAIMS)[number], string>>

/** Somebody at the other system. */
export type ThirdPartyIdentity = {
  /** Corporation, application or issuer within which the subject is unique and stays the same. */
  realm: string
  /** Has passed `stableSubject`. */
  subject: string
  claims: Claims
  /** The claims that the provider has verified by itself: a phone number that was only typed in proves nothing. */
  verified: readonly ('phone' | 'mailbox')[]
}

/** A provider as it is configured. */
export type Connection = {
  /** Where the browser is sent. @throws ConnectorFault */
  authorizeUrl(attempt: AuthorizationAttempt): Promise<string>
  /**
   * Who came back.
   * @param returned the parameters of the callback, each given once.
   * @throws ConnectorFault
   */
  exchange(attempt: AuthorizationAttempt, returned: Readonly<Record<string, string>>): Promise<ThirdPartyIdentity>
}

/** One kind of provider. */
export type Connector = {
  /** The settings as they are written, secrets included. */
  settings: z.ZodObject
  /** Names of the settings that are sealed at rest, and never shown or sent to a browser. */
  secrets: readonly string[]
  /** @param stored settings and secrets; parsed again. */
  open(outside: ConnectorContext, stored: unknown): Connection
}

/**
 * `cancelled` the person said no · `refused` the provider did not accept what it was given, such as a used code ·
 * `unavailable` no answer in time, or an error of its own · `unusable` an answer that does not say who it is, or is not to be believed.
 */
export type ConnectorFaultReason = 'cancelled' | 'refused' | 'unavailable' | 'unusable'

/** Why an exchange came to nothing. `detail` is for the log: a step and a code, never a token, a code of a login or a secret. */
export class ConnectorFault extends Error {
  readonly reason: ConnectorFaultReason
  readonly detail: string

  constructor(reason: ConnectorFaultReason, detail: string) {
    super(`${reason}: ${detail}`)
    this.reason = reason
    this.detail = detail
  }
}
