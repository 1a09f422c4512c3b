import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { queryAccountSecurity } from '#shared/contract/account-security.ts'
import { call } from '../../platform/api.ts'
import { AdviceLine } from '../../ui/AdviceLine.tsx'
import { adviceFor } from './recovery-advice.ts'
import { ADVICE_KEY } from './security-queries.ts'

const STALE_AFTER_MS = 5 * 60_000

/** For the first page of the portal: whoever could not get back in after a forgotten password is told, nobody else. */
export function RecoveryAdvice() {
  const { t } = useTranslation()
  const { data } = useQuery({
    queryKey: ADVICE_KEY,
    queryFn: ({ signal }) => call(queryAccountSecurity, {}, { signal, background: true }),
    staleTime: STALE_AFTER_MS,
  })
  const advice = data && data.phone === null && data.mailbox === null ? adviceFor(data) : null
  if (advice !== 'phone' && advice !== 'mailbox') return null
  return (
    <AdviceLine title={t(`set-account.advice.${advice}`)} why={t('set-account.advice.phone.why')}>
      <Link to="/account-security/set-account" className="button button-quiet">
        {t(`set-account.advice.${advice}.do`)}
      </Link>
    </AdviceLine>
  )
}
