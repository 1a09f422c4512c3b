import type { AccountSecurity } from '#shared/contract/account-security.ts'

/** The one most useful thing to do next. */
export type RecoveryAdviceKind = 'phone' | 'mailbox' | 'questions'

/** First a way to a forgotten password at all, then a second one, which nobody loses together with the first. */
export function adviceFor({ phone, mailbox, securityQuestions, channels }: AccountSecurity): RecoveryAdviceKind | null {
  if (phone === null && channels.sms) return 'phone'
  if (mailbox === null && channels.mail) return 'mailbox'
  return securityQuestions.length === 0 ? 'questions' : null
}
