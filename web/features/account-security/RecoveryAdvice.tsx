import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { queryAccountSecurity } from '#shared/contract/account-security.ts'
import { call } from '../../platform/api.ts'
import { AdviceLine } from '../../ui/AdviceLine.tsx'
import { adviceFor } from './recovery-advice.ts'
import { ADVICE_KEY } from './security-queries.ts'
import { useDueTime } from './use-due-time.ts'

const STALE_AFTER_MS = 5 * 60_000

/** Advice on the home page: the password must be changed soon, or couldn't be recovered. */
export function RecoveryAdvice() {
  const { t } = useTranslation()
  const { data } = useQuery({
    queryKey: ADVICE_KEY,
    queryFn: ({ signal }) => call(queryAccountSecurity, {}, { signal, background: true }),
    staleTime: STALE_AFTER_MS,
  })
  const dueIn = useDueTime()
  const advice = data ? adviceFor(data) : null
  const isShutOut = data?.phone === null && data.mailbox === null && (advice === 'phone' || advice === 'mailbox')
  if (!data || (advice !== 'password' && !isShutOut)) return null
  const why = advice === 'password' ? 'password' : 'phone'
  return (
    <AdviceLine title={t(`set-account.advice.${advice}`)} why={t(`set-account.advice.${why}.why`, dueIn(data))}>
      <Link to="/account-security/set-account" className="button button-quiet">
        {t(`set-account.advice.${advice}.do`)}
      </Link>
    </AdviceLine>
  )
}
