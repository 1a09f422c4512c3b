import type { MailboxSettings } from '#shared/contract/mailbox-settings.ts'
import type { ConnectorContext } from '../connector.types.ts'

/** Whose mailbox, and for which browser. */
export type MailboxVisitor = {
  address: string
  /** The address of the browser that will follow the link. */
  ip: string
  isChinese: boolean
}

/** A configured mail provider. */
export type MailboxConnection = {
  /** The host to call; or where links lead if it is not called at all. */
  host: string
  /**
   * A link that logs this person into their mailbox, freshly created: followed at once and stored nowhere. It always leads to the
   * configured host.
   * @throws ConnectorFault `not-member` there is no such mailbox · `not-visible` it is disabled, locked or expired.
   */
  loginUrl(visitor: MailboxVisitor): Promise<string>
  /** Is our secret valid? @throws ConnectorFault */
  checkSecret(): Promise<void>
  /** Could that mailbox be opened? Absent if that can't be queried. @throws ConnectorFault as `loginUrl`. */
  checkMailbox?(visitor: MailboxVisitor): Promise<void>
}

/** One kind of mail provider. */
export type MailboxDriverOf<Settings extends MailboxSettings> = (
  context: ConnectorContext,
  settings: Settings,
) => MailboxConnection
