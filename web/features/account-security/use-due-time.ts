import { useTranslation } from 'react-i18next'
import type { AccountSecurity } from '#shared/contract/account-security.ts'
import { formatDateTime } from '../../platform/format-time.ts'

/** For the advice to change the password: the time left. */
export function useDueTime() {
  const { language } = useTranslation().i18n
  return ({ password: { dueAt } }: AccountSecurity) => ({
    time: dueAt === null ? '' : formatDateTime(new Date(dueAt), language),
  })
}
