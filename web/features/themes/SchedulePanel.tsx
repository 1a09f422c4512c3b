import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { MAX_THEME_WINDOWS } from '#shared/contract/themes.ts'
import { lookOn } from '#shared/rules/theme-schedule.ts'
import { formatDay } from '../../platform/format-time.ts'
import { DateField } from '../../ui/DateField.tsx'
import { PreviewFrame, usePreview } from '../../ui/PreviewFrame.tsx'
import { SetByFile } from '../../ui/SetByFile.tsx'
import { SettingsPanel } from '../../ui/SettingsPanel.tsx'
import { MourningCard } from './MourningCard.tsx'
import { ScheduleWindow } from './ScheduleWindow.tsx'
import { type Schedule, type Themes, useScheduleDraft } from './schedule-draft.ts'
import { themesQuery } from './theme-queries.ts'

/** On which days the pages look different, beside the login page of any day. */
export function SchedulePanel() {
  const { t, i18n } = useTranslation()
  const settings = useScheduleDraft(({ schedule }) => ({ schedule }))
  const { data } = useQuery(themesQuery())
  return (
    <SettingsPanel
      {...settings}
      labels={{ schedule: t('audit-field.schedule') }}
      show={(_field, value) => scheduleText(value as Schedule, i18n.language)}
    >
      {({ value, change, stored }) => {
        const isFixed = stored.setByFile.includes('schedule')
        // A draft keeps what it began with; names follow the language of the page.
        const themes = { ...stored, themes: data?.themes ?? stored.themes }
        return (
          <div className="theme-schedule">
            <div>
              {isFixed && <SetByFile />}
              {!isFixed && <MourningCard stored={stored} />}
              <Windows
                value={value.schedule}
                themes={themes}
                isFixed={isFixed}
                onChange={(schedule) => change({ schedule })}
              />
            </div>
            <DayPreview themes={themes} schedule={value.schedule} />
          </div>
        )
      }}
    </SettingsPanel>
  )
}

/** The periods in words, one after the other. */
const scheduleText = (schedule: Schedule, language: string): string =>
  schedule
    .map(({ name, from, until }) => `${name || '…'} (${formatDay(from, language)} – ${formatDay(until, language)})`)
    .join(' · ') || '—'

type WindowsProps = { value: Schedule; themes: Themes; isFixed: boolean; onChange: (value: Schedule) => void }

function Windows({ value, themes, isFixed, onChange }: WindowsProps) {
  const { t } = useTranslation()
  const { today } = themes
  const first = { name: '', theme: themes.theme, grey: false, from: today, until: today, yearly: false, priority: 0 }
  return (
    <fieldset className="theme-windows" disabled={isFixed}>
      <legend>{t('login-topic.windows')}</legend>
      {value.length === 0 && <p className="muted">{t('login-topic.windows-none')}</p>}
      {value.map((window, at) => (
        <ScheduleWindow
          // biome-ignore lint/suspicious/noArrayIndexKey: its place is all that a window being typed has.
          key={at}
          at={at}
          window={window}
          themes={themes.themes}
          onChange={(part) => onChange(value.with(at, { ...window, ...part }))}
          onRemove={() => onChange(value.toSpliced(at, 1))}
        />
      ))}
      {value.length < MAX_THEME_WINDOWS && (
        <button type="button" className="button" onClick={() => onChange([...value, first])}>
          {t('login-topic.window-add')}
        </button>
      )}
    </fieldset>
  )
}

/** The login page as it will be on a day, with what is not saved yet. */
function DayPreview({ themes: { themes, theme, today }, schedule }: { themes: Themes; schedule: Schedule }) {
  const { t, i18n } = useTranslation()
  const [day, setDay] = useState(today)
  const preview = usePreview({})
  const look = lookOn({ theme, schedule }, day)
  const shown = themes.find(({ id }) => id === look.theme) ?? themes.find(({ id }) => id === theme)
  const design = shown?.design ?? themes[0]?.design
  const words = { day: formatDay(day, i18n.language), theme: shown?.shownName ?? '', window: look.window?.name || '…' }
  return (
    <section className="theme-preview" aria-label={t('login-topic.preview')}>
      <DateField label={t('login-topic.show-day')} value={day} onChange={(chosen) => setDay(chosen ?? today)} />
      <p role="status">
        {t(look.window ? 'login-topic.day-window' : 'login-topic.day-usual', words)}
        {look.grey && ` ${t('login-topic.day-grey')}`}
      </p>
      {design && (
        <PreviewFrame
          preview={preview}
          page="login"
          title={t('preview.frame', { page: t('preview.page.login') })}
          theme={look.grey ? { ...design, effect: 'grey' } : design}
          language={i18n.language as Language}
        />
      )}
      <p className="muted">{t('preview.explain')}</p>
    </section>
  )
}
