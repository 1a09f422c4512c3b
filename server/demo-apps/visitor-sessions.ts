import { randomToken, sha256 } from '../platform/crypto.ts'

/** A person signed in to a demo application, and the ticket. */
export type Visitor = { user: string; attributes: ReadonlyMap<string, readonly string[]>; ticket: string }

export type VisitorSessions = {
  /** @returns the value of the session cookie */
  open(visitor: Visitor): string
  find(cookie: string | undefined): Visitor | null
  close(cookie: string | undefined): void
  /** Ends the session that a ticket opened, for single logout. */
  closeByTicket(ticket: string): void
}

const LONGEST_MS = 8 * 60 * 60 * 1000
const MAX_SESSIONS = 5000

/** Sessions of one demo application, in memory: after a restart everybody signs in again, without noticing. */
export function createVisitorSessions(now: () => Date): VisitorSessions {
  const sessions = new Map<string, { visitor: Visitor; until: number }>()
  const keyOf = (cookie: string) => sha256(cookie).toString('base64')
  return {
    open(visitor) {
      const cookie = randomToken(32)
      if (sessions.size >= MAX_SESSIONS) sessions.delete(sessions.keys().next().value ?? '')
      sessions.set(keyOf(cookie), { visitor, until: now().getTime() + LONGEST_MS })
      return cookie
    },
    find(cookie) {
      const session = cookie === undefined ? undefined : sessions.get(keyOf(cookie))
      return session && session.until > now().getTime() ? session.visitor : null
    },
    close(cookie) {
      if (cookie !== undefined) sessions.delete(keyOf(cookie))
    },
    closeByTicket(ticket) {
      for (const [key, { visitor }] of sessions) if (visitor.ticket === ticket) sessions.delete(key)
    },
  }
}
