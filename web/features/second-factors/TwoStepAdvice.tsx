import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AdviceLine } from '../../ui/AdviceLine.tsx'
import { factorsQuery, hasFactor } from './factor-queries.ts'

/**
 * Advises people without a second factor to set one up; renders `children` for everybody else, and nothing until known.
 */
export function TwoStepAdvice({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const { data } = useQuery(factorsQuery)
  if (data === undefined) return null
  if (hasFactor(data)) return children
  return (
    <AdviceLine title={t('two-step.advice')} why={t('two-step.advice.why')}>
      <Link to="/account-security/two-step" className="button button-quiet">
        {t('two-step.advice.do')}
      </Link>
    </AdviceLine>
  )
}
