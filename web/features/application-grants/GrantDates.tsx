import { useTranslation } from 'react-i18next'
import type { GrantState } from '#shared/contract/application-grants.ts'
import { dateAndTime } from '../../platform/format-time.ts'

const TONES = { running: 'tag tag-well', waiting: 'tag', over: 'tag tag-caution' } as const

type Props = { state: GrantState; validFrom: string | null; validUntil: string | null }

/** Whether a grant runs, and its dates in words. */
export function GrantDates({ state, validFrom, validUntil }: Props) {
  const words = useDatesInWords()
  const { t } = useTranslation()
  return (
    <span className="grant-dates">
      <span className={TONES[state]}>
        <span className="dot" aria-hidden="true" />
        {t(`grant-state.${state}`)}
      </span>
      <span>{words({ validFrom, validUntil })}</span>
    </span>
  )
}

export function useDatesInWords() {
  const { t, i18n } = useTranslation()
  const moment = (value: string) => dateAndTime(new Date(value), i18n.language)
  return ({ validFrom, validUntil }: Omit<Props, 'state'>): string => {
    if (!validFrom && !validUntil) return t('grant.always')
    const parts = [
      validFrom && t('grant.from', { from: moment(validFrom) }),
      validUntil && t('grant.until', { until: moment(validUntil) }),
    ]
    return parts.filter(Boolean).join(' ')
  }
}
