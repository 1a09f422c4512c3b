import type { AccountSecurity } from '#shared/contract/account-security.ts'

/** The one most useful thing to do next. */
export type RecoveryAdviceKind = 'password' | 'phone' | 'mailbox' | 'questions'

/**
 * First a password that will soon have to be changed, then a way to a forgotten one at all, then a second way, which nobody loses
 * together with the first.
 */
export function adviceFor(security: AccountSecurity): RecoveryAdviceKind | null {
  const { password, phone, mailbox, securityQuestions, channels, fields } = security
  if (password.dueAt !== null) return 'password'
  if (phone === null && channels.sms && fields.editable.includes('phone')) return 'phone'
  if (mailbox === null && channels.mail && fields.editable.includes('mailbox')) return 'mailbox'
  return securityQuestions.length === 0 ? 'questions' : null
}
