import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  /** Unknown, or a person whom the caller may not see. */
  'user.not-found': 404,
  'user.last-super-user': 409,
  /** Nobody may lock themselves out. */
  'user.is-self': 409,
  /** They would gain applications or roles that the caller may not grant to them. */
  'user.gains': 403,
  'user.names-taken': 409,
  /** Somebody else now has a value that must be unique. */
  'user.value-taken': 409,
  /** A lock or a freeze that would end before it begins. */
  'user.dates': 422,
  /** There is no freeze whose end could be changed. */
  'user.not-frozen': 409,
  /** There is nothing to notify them of: they can't log in anyway, or are exempt from dormancy. */
  'user.not-becoming-dormant': 409,
  /** There is neither a phone nor a mailbox that this installation can send to. */
  'user.no-contact': 409,
  /** There is no such contact, or no gateway that sends links there. */
  'user.no-such-contact': 409,
  /** It was changed too recently to be trusted for access to the account. */
  'user.contact-changed': 409,
  /** The filters match another number of people than the caller was shown. */
  'selection.changed': 409,
})
