import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { SecurityRow } from '../../ui/SecurityRow.tsx'
import { factorsQuery, hasFactor } from './factor-queries.ts'

/** The row of the security settings that leads to the second factors. */
export function TwoStepRow() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { data } = useQuery(factorsQuery)
  const isSet = data !== undefined && hasFactor(data)
  const value = [
    data?.totp && t('two-step.app.title'),
    data && data.passkeys.length > 0 && t('two-step.passkeys.count', { count: data.passkeys.length }),
  ].filter(Boolean)
  return (
    <SecurityRow
      icon="safety-certificate"
      title={t('two-step.title')}
      value={value.length > 0 ? value.join(' · ') : t('two-step.good-for')}
      isSet={isSet}
      verb={t(isSet ? 'two-step.manage' : 'set-account.set')}
      verbLabel={t(isSet ? 'two-step.manage-label' : 'two-step.set-up-label')}
      onAct={() => void navigate({ to: '/account-security/two-step' })}
    />
  )
}
