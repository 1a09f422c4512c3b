import type { AccountSecurity } from '#shared/contract/account-security.ts'

/** The most useful thing to do next. */
export type RecoveryAdviceKind = 'password' | 'phone' | 'mailbox' | 'questions'

/** In this order: a password that will soon have to be changed, no recovery method, only one recovery method. */
export function adviceFor(security: AccountSecurity): RecoveryAdviceKind | null {
  const { password, phone, mailbox, securityQuestions, channels, fields } = security
  if (password.dueAt !== null) return 'password'
  if (phone === null && channels.sms && fields.editable.includes('phone')) return 'phone'
  if (mailbox === null && channels.mail && fields.editable.includes('mailbox')) return 'mailbox'
  return securityQuestions.length === 0 ? 'questions' : null
}
