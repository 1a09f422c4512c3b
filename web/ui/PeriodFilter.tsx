import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../platform/server-clock.ts'
import { DateInput } from './DateField.tsx'
import { formatDay } from './list-filter.ts'
import { Select } from './Select.tsx'

/** Days back, including today. */
const PRESETS = [1, 7, 30, 90] as const

type Period = { from?: string | undefined; to?: string | undefined }
type Props = { label: string; value: Period; onChange: (period: { from: string; to: string }) => void }

/** A preset of recent days, or any two dates. A time of day comes from elsewhere, such as a timeline. */
export function PeriodFilter({ label, value, onChange }: Props) {
  const { t } = useTranslation()
  const { from = '', to = '' } = value
  const preset = from && !to ? PRESETS.find((days) => from === firstDay(days)) : undefined
  const [isOwn, setOwn] = useState(false)
  const own = isOwn || ((from !== '' || to !== '') && preset === undefined)
  const choose = (chosen: string) => {
    setOwn(chosen === 'own')
    if (chosen === 'own') return
    onChange({ from: chosen === '' ? '' : firstDay(Number(chosen)), to: '' })
  }
  return (
    <>
      <Select
        label={label}
        value={own ? 'own' : String(preset ?? '')}
        options={[
          { value: '', label: t('list.filter', { label, value: t('list.any') }) },
          ...PRESETS.map((days) => ({
            value: String(days),
            label: days === 1 ? t('list.period.today') : t('list.period.days', { count: days }),
          })),
          { value: 'own', label: t('list.period.own') },
        ]}
        onChange={choose}
      />
      {own && (
        <fieldset className="period">
          <legend className="visually-hidden">{label}</legend>
          <DateInput
            label={t('list.period.from')}
            value={dateOf(from)}
            max={dateOf(to)}
            onChange={(day) => onChange({ from: day ?? '', to })}
          />
          <span aria-hidden="true">–</span>
          <DateInput
            label={t('list.period.to')}
            value={dateOf(to)}
            min={dateOf(from)}
            onChange={(day) => onChange({ from, to: day ?? '' })}
          />
        </fieldset>
      )}
    </>
  )
}

const dateOf = (limit: string): string => limit.slice(0, 10)

function firstDay(days: number): string {
  const day = new Date(serverNow())
  day.setDate(day.getDate() - days + 1)
  return formatDay(day)
}
