import type { MailboxSettings } from '#shared/contract/mailbox-settings.ts'
import type { ConnectorContext } from '../connector.types.ts'

/** Whose mailbox, and for which browser. */
export type MailboxVisitor = {
  address: string
  /** Of the browser that will follow the link. */
  ip: string
  isChinese: boolean
}

/** A mail provider as it is configured. */
export type MailboxConnection = {
  /** Where it is called; where links lead to when it is not called at all. */
  host: string
  /**
   * A link that logs this person into their mailbox, as new as the call: it is followed at once and kept nowhere. It always leads
   * to the configured host.
   * @throws ConnectorFault `not-member` there is no such mailbox · `not-visible` it is stopped, locked or expired.
   */
  loginUrl(visitor: MailboxVisitor): Promise<string>
  /** Do we have the key to it? @throws ConnectorFault */
  checkSecret(): Promise<void>
  /** Could that mailbox be opened? Absent where nobody can be asked. @throws ConnectorFault as `loginUrl`. */
  checkMailbox?(visitor: MailboxVisitor): Promise<void>
}

/** One kind of mail provider. */
export type MailboxDriverOf<Settings extends MailboxSettings> = (
  context: ConnectorContext,
  settings: Settings,
) => MailboxConnection
