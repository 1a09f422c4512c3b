export { mountCorporateMailbox } from './corporate-mailbox.routes.ts'
export {
  addressesOf,
  findAddressRules,
  findOwnAddress,
  installMailboxes,
  mailboxRestorer,
  moveMailboxes,
} from './corporate-mailbox.service.ts'
