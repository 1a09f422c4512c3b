import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../platform/server-clock.ts'
import { dayOf } from './list-filter.ts'

/** Days back, today included. */
const PRESETS = [1, 7, 30, 90] as const

type Period = { from?: string | undefined; to?: string | undefined }
type Props = { label: string; value: Period; onChange: (period: { from: string; to: string }) => void }

/** The last days by one choice, or any two days. */
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
      <select
        className="input"
        aria-label={label}
        value={own ? 'own' : (preset ?? '')}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">{t('list.filter', { label, value: t('list.any') })}</option>
        {PRESETS.map((days) => (
          <option key={days} value={days}>
            {days === 1 ? t('list.period.today') : t('list.period.days', { count: days })}
          </option>
        ))}
        <option value="own">{t('list.period.own')}</option>
      </select>
      {own && (
        <fieldset className="period">
          <legend className="visually-hidden">{label}</legend>
          <Day label={t('list.period.from')} value={from} max={to} onChange={(day) => onChange({ from: day, to })} />
          <span aria-hidden="true">–</span>
          <Day label={t('list.period.to')} value={to} min={from} onChange={(day) => onChange({ from, to: day })} />
        </fieldset>
      )}
    </>
  )
}

type DayProps = { label: string; value: string; min?: string; max?: string; onChange: (day: string) => void }

const Day = ({ label, value, min, max, onChange }: DayProps) => (
  <input
    className="input"
    type="date"
    aria-label={label}
    value={value}
    min={min || undefined}
    max={max || undefined}
    onChange={(event) => onChange(event.target.value)}
  />
)

function firstDay(days: number): string {
  const day = new Date(serverNow())
  day.setDate(day.getDate() - days + 1)
  return dayOf(day)
}
