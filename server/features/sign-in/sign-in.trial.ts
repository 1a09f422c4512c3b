import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignInForm } from '#shared/contract/sign-in.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Application } from '../applications/index.ts'
import type { SsoSession } from '../sessions/index.ts'
import type { AttemptKeys } from './attempt-keys.ts'

export type Attempt = SignInForm & {
  /** For the record; null for the portal itself or without a service. Whether it may be entered is asked at the ticket. */
  application: Application | null
  /** The sign-on session this browser had: renewed for the same person, ended for another. */
  replaces: SsoSession | null
  /** An application's server brings the password: no cookie is set, no device becomes known, no second step waits. */
  withoutBrowser?: boolean
}

/** One attempt with what every step of it needs. */
export type Trial = {
  request: FastifyRequest
  reply: FastifyReply
  attempt: Attempt
  policy: SignInPolicy
  canonical: string
  keys: AttemptKeys
  /** The value of the device cookie; null without one. */
  device: string | null
}

/** Login type of account and password. */
export const PASSWORD_TYPE = 'user'
