import { useTranslation } from 'react-i18next'
import type { GrantState } from '#shared/contract/application-grants.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import { StateWord } from '../../ui/StateWord.tsx'

const TONES = { running: 'well', waiting: 'primary', over: 'caution' } as const

type Props = { state: GrantState; validFrom: string | null; validUntil: string | null }

/** Whether a grant is active, and its dates. */
export function GrantDates({ state, validFrom, validUntil }: Props) {
  const words = useDatesText()
  const { t } = useTranslation()
  return (
    <span className="grant-dates">
      <StateWord tone={TONES[state]}>{t(`grant-state.${state}`)}</StateWord>
      <span className="muted">{words({ validFrom, validUntil })}</span>
    </span>
  )
}

export function useDatesText() {
  const { t, i18n } = useTranslation()
  const moment = (value: string) => formatDateTime(new Date(value), i18n.language)
  return ({ validFrom, validUntil }: Omit<Props, 'state'>): string => {
    if (!validFrom && !validUntil) return t('grant.always')
    const parts = [
      validFrom && t('grant.from', { from: moment(validFrom) }),
      validUntil && t('grant.until', { until: moment(validUntil) }),
    ]
    return parts.filter(Boolean).join(' ')
  }
}
