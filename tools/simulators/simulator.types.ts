import type { IncomingMessage } from 'node:http'
import type { AddressBook } from './address-book.ts'
import type { Person } from './people.ts'

/** A message that arrived on somebody's phone. */
export type ArrivedMessage = { to: string; text: string; at: number }

export type Mailbox = {
  address: string
  name: string
  mobile: string
  departments: number[]
  isDisabled: boolean
  /** Of the mail administrator; only at Coremail. */
  state?: string
  password: string
}

/** What the calls of a step do instead of a proper answer. */
export type Trouble =
  | 'slow'
  | 'error'
  | 'garbage'
  | 'huge'
  | 'empty'
  | 'busy'
  | 'address'
  | 'html'
  | 'stale'
  | 'redirect'
  /** The call is carried out, but its answer doesn't arrive. */
  | 'lost'

export type Step = 'token' | 'corporation' | 'user' | 'member' | 'book' | 'message'

export type Call = {
  query: URLSearchParams
  /** The JSON body, or null. */
  body: Record<string, unknown> | null
  /** The form body, or empty. */
  form: URLSearchParams
  headers: IncomingMessage['headers']
}

export type Reply = { status?: number; text: string; type?: string; location?: string }

export type Redeemed = { person: Person; redirectUri: string } | 'unknown' | 'used' | 'expired'

export type Simulator = {
  url: string
  /** Every call received, without parameters. */
  calls: string[]
  trouble: Partial<Record<Step, Trouble>>
  /** The latency of its answers. */
  delayMs: number
  /** The allowed origin of return addresses. */
  trustedOrigin: string
  now(): Date
  /** Overrides of people's data. */
  about: Record<string, unknown>
  /** The messages to people that arrived. */
  messages: ArrivedMessage[]
  /** The address book of its corporation. */
  book: AddressBook
  /** The mailboxes that were created by calls, by lower-case address, and how many the licence allows. */
  mailboxes: Map<string, Mailbox>
  mostMailboxes: number
  /** A code for a person, as the page would issue it; optionally of another application. */
  issueCode(person: Person, application: string, redirectUri?: string): string
  redeemCode(code: string, application: string): Redeemed
  issueToken(subject: string): string
  /** The owner of a token; undefined if invalid. */
  subjectOf(token: string): string | undefined
  revokeTokens(): void
  close(): Promise<void>
}
