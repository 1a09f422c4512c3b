export { mountCorporateMailbox } from './corporate-mailbox.routes.ts'
export { findOwnAddress, installMailboxes, mailboxRestorer, moveMailboxes } from './corporate-mailbox.service.ts'
