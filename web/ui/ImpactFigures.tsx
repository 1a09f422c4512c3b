import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCustomName } from '#shared/contract/field-rules.ts'
import type { ImpactFigure } from '#shared/contract/policy-impact.ts'
import { useCount } from '../platform/format-number.ts'
import { formatDateTime, formatMonth } from '../platform/format-time.ts'
import { isRefusal } from '../platform/refusal.ts'
import { Dialog } from './Dialog.tsx'
import { Time } from './Time.tsx'
import './impact-figures.css'

type Props<Draft> = {
  /** Of the page, for the cache. */
  name: string
  /** The draft; null: nothing that affects the figures. */
  draft: Draft | null
  /** `title`: the heading of the figures; absent: "If you save this". */
  load: (draft: Draft, signal: AbortSignal) => Promise<{ figures: ImpactFigure[]; title?: string }>
}

/** Statuses for a draft that can't be saved either. */
const BAD_DRAFT: readonly number[] = [400, 404, 409, 422]

/** Debounces typing. */
const SETTLE_MS = 500

/** The effects of an unsaved change, in numbers with lists behind them; recomputed as the draft changes. */
export function ImpactFigures<Draft>({ name, draft, load }: Props<Draft>) {
  const { t } = useTranslation()
  const settled = useSettled(draft)
  const { data, error, isFetching } = useQuery({
    queryKey: ['policy-impact', name, settled],
    queryFn: ({ signal }) => load(settled as Draft, signal),
    enabled: settled !== null,
    placeholderData: keepPreviousData,
    // Any change to the settings changes them.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const [opened, setOpened] = useState<ImpactFigure | null>(null)
  // Incomplete input is reported at its field.
  if (draft === null || (isRefusal(error) && BAD_DRAFT.includes(error.state))) return null
  const figures = data?.figures.filter(({ count, isAtLeast }) => count > 0 || isAtLeast) ?? []
  const isBusy = isFetching || settled !== draft
  return (
    <div className="impact">
      <p role="status" className="muted">
        {error ? t('impact.failed') : impactLine()}
      </p>
      {!error && figures.length > 0 && (
        <ul className="impact-list" aria-busy={isBusy || undefined}>
          {figures.map((figure) => (
            <li key={`${figure.key} ${figure.field}`}>
              <FigureButton figure={figure} onOpen={() => setOpened(figure)} />
            </li>
          ))}
        </ul>
      )}
      {opened && <FigureDialog figure={opened} onClose={() => setOpened(null)} />}
    </div>
  )

  function impactLine(): string {
    if (!data) return t('impact.busy')
    return figures.length > 0 ? (data.title ?? t('impact.title')) : t(isBusy ? 'impact.busy' : 'impact.none')
  }
}

function useSettled<Draft>(draft: Draft | null): Draft | null {
  const [settled, setSettled] = useState<Draft | null>(null)
  const key = JSON.stringify(draft)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft that says the same is the same one.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [key])
  return JSON.stringify(settled) === key ? draft : settled
}

/** Figures that already count people. */
const COUNTS_PEOPLE: readonly ImpactFigure['key'][] = [
  'sessions-above-limit',
  'records-dropped',
  'people-locked',
  'passwords-too-old',
  'people-dormant',
  'dormant-locked',
  'run-held',
  'people-factor',
  'people-factorless',
  'people-lacking',
  'people-misformed',
  'people-sharing',
]

function FigureButton({ figure, onOpen }: { figure: ImpactFigure; onOpen: () => void }) {
  const { t, i18n } = useTranslation()
  const { key, count, people, isAtLeast, lookedBackTo, rows, months = [] } = figure
  const number = t(isAtLeast ? 'impact.at-least' : 'impact.exactly', { count })
  const since = isAtLeast && lookedBackTo ? formatDateTime(new Date(lookedBackTo), i18n.language) : null
  return (
    <>
      <button type="button" className="impact-figure" disabled={rows.length + months.length === 0} onClick={onOpen}>
        <strong className="tabular">{number}</strong> {t(`impact.${key}`, { field: fieldWord(t, figure), count })}
      </button>
      {!COUNTS_PEOPLE.includes(key) && count > 0 && (
        <span className="muted"> {t('impact.people', { count: people })}</span>
      )}
      {since && <span className="muted"> {t('impact.since', { time: since })}</span>}
    </>
  )
}

const fieldWord = (t: TFunction, { field, fieldLabel }: ImpactFigure): string =>
  fieldLabel ?? (field === null || isCustomName(field) ? '' : t(`person-field.${field}`))

type ProbedLocation = NonNullable<ImpactFigure['rows'][number]['places']>['before']

function placeWords(t: TFunction, location: ProbedLocation): string {
  if (!location) return t('ip-range.no-range')
  const kind = t(`ip-range.kind.${location.kind}`)
  const name = location.name ?? t('impact.this-range')
  return name === kind ? kind : t('impact.place', { name, kind })
}

/** Figures whose time is not that of a login. */
const OTHER_TIMES = [
  'people-locked',
  'sessions-ended',
  'passwords-too-old',
  'people-dormant',
  'dormant-locked',
] as const
const timeOf = (key: ImpactFigure['key']) => OTHER_TIMES.find((one) => one === key) ?? 'login'

function FigureDialog({ figure, onClose }: { figure: ImpactFigure; onClose: () => void }) {
  const { t } = useTranslation()
  const { key, count, rows, months } = figure
  const hasTime = rows.some(({ at }) => at !== null)
  const label = t(`impact.${key}.list`, { field: fieldWord(t, figure) })
  return (
    <Dialog
      title={label}
      size="wide"
      onClose={onClose}
      actions={
        <button type="button" className="button" data-first-focus onClick={onClose}>
          {t('action.close')}
        </button>
      }
    >
      {months && <MonthTable months={months} label={label} />}
      {rows.length < count && !months && (
        <p className="muted">{t(hasTime ? 'impact.latest' : 'impact.some', { count: rows.length })}</p>
      )}
      {!months && <LoginTable figure={figure} label={label} />}
    </Dialog>
  )
}

function LoginTable({ figure: { key, rows }, label }: { figure: ImpactFigure; label: string }) {
  const { t } = useTranslation()
  const hasTime = rows.some(({ at }) => at !== null)
  const hasTyped = rows.some(({ typed }) => typed !== null)
  const hasAddress = rows.some(({ ip }) => ip !== null)
  const hasPlaces = rows.some(({ places }) => places !== null)
  const hasApplication = rows.some(({ application }) => application !== null)
  return (
    <div className="impact-table">
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('impact.column.person')}</th>
            {hasTime && <th scope="col">{t(`impact.column.${timeOf(key)}`)}</th>}
            {hasTyped && <th scope="col">{t('impact.column.typed')}</th>}
            {hasApplication && <th scope="col">{t('impact.column.application')}</th>}
            {hasAddress && <th scope="col">{t('impact.column.address')}</th>}
            {hasPlaces && (
              <>
                <th scope="col">{t('impact.column.range-now')}</th>
                <th scope="col">{t('impact.column.range-then')}</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ person, at, typed, ip, application, places }) => (
            <tr key={`${person.id} ${at}`}>
              <td>
                {person.name} <span className="muted">{person.account}</span>
              </td>
              {at !== null && (
                <td>
                  <Time value={at} />
                </td>
              )}
              {hasTyped && <td>{typed}</td>}
              {hasApplication && <td>{application ?? t('access-rule.portal')}</td>}
              {hasAddress && <td className="tabular">{ip}</td>}
              {places && (
                <>
                  <td>{placeWords(t, places.before)}</td>
                  <td>{placeWords(t, places.after)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What goes of each kind of record. */
function MonthTable({ months, label }: { months: NonNullable<ImpactFigure['months']>; label: string }) {
  const { t, i18n } = useTranslation()
  const inWords = useCount()
  return (
    <div className="impact-table">
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('impact.column.kind')}</th>
            <th scope="col">{t('record-retention.month')}</th>
            <th scope="col">{t('impact.column.records')}</th>
          </tr>
        </thead>
        <tbody>
          {months.map(({ kind, month, rows }) => (
            <tr key={`${kind} ${month}`}>
              <td>{t(`record-retention.kind.${kind}`)}</td>
              <td className="tabular">{formatMonth(month, i18n.language)}</td>
              <td className="tabular">{inWords(rows)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
