import { z } from 'zod'
import { OWN_FIELD_ERRORS, OwnFields } from './account-fields.ts'
import { Empty, get, Id, post } from './endpoint.ts'
import { SecurityAnswers, SecurityQuestion } from './security-questions.ts'

/** The security of an account: everything that the page's list shows, with masked numbers. */
export const AccountSecurity = z.object({
  /** Version of the person's row; sent with a change, so that two windows don't overwrite each other. */
  version: z.number().int(),
  password: z.object({
    isSet: z.boolean(),
    changedAt: z.iso.datetime().nullable(),
    /** When a login with it will ask for a new one; null: not soon. */
    dueAt: z.iso.datetime().nullable(),
  }),
  /** The answered ones. */
  securityQuestions: z.array(SecurityQuestion),
  phone: z.string().nullable(),
  mailbox: z.string().nullable(),
  alias: z.string().nullable(),
  /** Remaining alias changes within thirty days. */
  aliasChangesLeft: z.number().int(),
  fields: OwnFields,
  /** Whether codes can be sent: without a gateway nothing can be bound. */
  channels: z.object({ sms: z.boolean(), mail: z.boolean() }),
})
export type AccountSecurity = z.infer<typeof AccountSecurity>

export const queryAccountSecurity = get('/user_information/account_security/', 'completing', Empty, AccountSecurity, {
  summary: 'The security of my account',
})

/** The state after a change, so that no second call is needed. */
const Changed = AccountSecurity
const query = z.strictObject({ id: Id })
/** As `AccountSecurity.version`; absent: no check. */
const version = z.number().int().positive().optional()
const Code = z.string().min(1).max(40)

const common = ['account-security.not-yours', 'reauthentication.required', 'version.conflict'] as const
const errors = [...common, ...OWN_FIELD_ERRORS] as const
const codeErrors = ['verification-code.wrong', 'verification-code.expired', 'verification-code.too-many-tries'] as const

/** Binds the number with the code that was sent to it (purpose `bind-phone`). The previous one gets a notice. */
export const bindPhone = post(
  '/user_information/{id}/bind_phone/',
  'completing',
  z.strictObject({ phone: z.string().min(1).max(40), code: Code, version }),
  Changed,
  {
    query,
    summary: 'Bind a phone number to my account, replacing the previous one',
    errors: [...errors, ...codeErrors, 'phone.malformed', 'phone.unchanged', 'phone.taken'],
  },
)

/** As `bindPhone`, with a code of purpose `bind-mailbox`. */
export const bindMailbox = post(
  '/user_information/{id}/bind_mailbox/',
  'completing',
  z.strictObject({ mailbox: z.string().min(1).max(254), code: Code, version }),
  Changed,
  {
    query,
    summary: 'Bind an email address to my account, replacing the previous one',
    errors: [...errors, ...codeErrors, 'mailbox.malformed', 'mailbox.unchanged', 'mailbox.taken'],
  },
)

/** Refusals of a new alias. */
export const ALIAS_ERRORS = [
  'alias.malformed',
  'alias.taken',
  'alias.too-many-changes',
  'alias.too-many-tries',
] as const

/** `data` of `alias.malformed`: the broken rules of rules/alias.ts; wording `alias.rule.<rule>`. */
export type MalformedAliasData = { rules: string[] }

export const bindAlias = post(
  '/user_information/{id}/bind_alias/',
  'completing',
  z.strictObject({ alias: z.string().min(1).max(100), version }),
  Changed,
  {
    query,
    summary: 'Choose a login alias, in place of the former one',
    errors: [...errors, 'alias.unchanged', ...ALIAS_ERRORS],
  },
)

export const UnbindableContact = z.enum(['phone', 'mailbox', 'alias'])
export type UnbindableContact = z.infer<typeof UnbindableContact>

/** Removing the last recovery method has to be confirmed with `lastMethod`. */
export const unbindContact = post(
  '/user_information/{id}/unbind/',
  'user',
  z.strictObject({ kind: UnbindableContact, lastMethod: z.boolean().default(false), version }),
  Changed,
  {
    query,
    summary: 'Remove the phone number, the email address or the alias from my account',
    errors: [...errors, 'account-security.nothing-bound', 'account-security.last-method'],
  },
)

/** All at once: stored answers can't be shown, so they can't be edited. */
export const answerSecurityQuestions = post(
  '/user_information/{id}/security_questions/',
  'user',
  z.strictObject({ answers: SecurityAnswers, version }),
  Changed,
  {
    query,
    summary: 'Answer the security questions, replacing the previous answers',
    errors: [
      ...common,
      'security-questions.unknown-question',
      'security-questions.same-question',
      'security-questions.same-answer',
      'security-questions.answer-too-short',
      'service.busy',
    ],
  },
)
