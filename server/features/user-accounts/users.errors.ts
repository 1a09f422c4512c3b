import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  /** Nobody, or somebody whom the caller may not see. */
  'user.not-found': 404,
  'user.last-super-user': 409,
  /** Nobody shuts themselves out. */
  'user.is-self': 409,
  /** They would come to applications or roles that the caller may not grant to them. */
  'user.gains': 403,
  'user.names-taken': 409,
  /** Somebody else has by now what no two people have. */
  'user.value-taken': 409,
  /** A lock or a freeze that would be over as it begins. */
  'user.dates': 422,
  /** There is no freeze to give another end to. */
  'user.not-frozen': 409,
  /** There is nothing to tell them of: they can't log in anyway, or dormancy passes them by. */
  'user.not-becoming-dormant': 409,
  /** There is neither a phone nor a mailbox that anything here sends to. */
  'user.no-contact': 409,
  /** There is no such address, or nothing that sends links there. */
  'user.no-such-contact': 409,
  /** It was changed too lately to be trusted with a way into the account. */
  'user.contact-changed': 409,
  /** The filters find another number of people than the person was shown. */
  'selection.changed': 409,
})
