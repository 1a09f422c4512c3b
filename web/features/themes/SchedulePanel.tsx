import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { MAX_THEME_WINDOWS } from '#shared/contract/themes.ts'
import { isInWindow, lookOn, type ThemeWindow } from '#shared/rules/theme-schedule.ts'
import { formatDay } from '../../platform/format-time.ts'
import { DateField } from '../../ui/DateField.tsx'
import { FixedReason, useFixedButton } from '../../ui/fixed-field.ts'
import { PreviewFrame, usePreview } from '../../ui/PreviewFrame.tsx'
import { windowText } from '../../ui/page-texts.ts'
import { SetByFile } from '../../ui/SetByFile.tsx'
import { SettingsPanel } from '../../ui/SettingsPanel.tsx'
import { MourningCard } from './MourningCard.tsx'
import { ScheduleWindow } from './ScheduleWindow.tsx'
import { type Schedule, type Themes, useScheduleDraft } from './schedule-draft.ts'
import { themesQuery } from './theme-queries.ts'

/** The days on which the pages look different, with a preview of the login page for any day. */
export function SchedulePanel() {
  const { t } = useTranslation()
  const id = useId()
  const [chosenDay, setDay] = useState<string | null>(null)
  const settings = useScheduleDraft(({ schedule }) => ({ schedule }))
  const { data } = useQuery(themesQuery())
  return (
    <SettingsPanel
      {...settings}
      labels={{ schedule: t('audit-field.schedule') }}
      show={(_field, value) =>
        (value as Schedule).map((window) => windowText(t, window, (id) => nameOf(data, id))).join(' · ') || '—'
      }
    >
      {({ value, change, stored }) => {
        const isFixed = stored.setByFile.includes('schedule')
        // A draft keeps its original state; names follow the page's language.
        const themes = { ...stored, themes: data?.themes ?? stored.themes }
        const day = chosenDay ?? stored.today
        return (
          <div className="theme-schedule">
            <div>
              {isFixed && <SetByFile id={id} />}
              {!isFixed && <MourningCard stored={stored} />}
              <FixedReason value={isFixed ? id : undefined}>
                <Windows
                  value={value.schedule}
                  themes={themes}
                  onChange={(schedule, edited) => {
                    change({ schedule })
                    // What is being decided is what is looked at.
                    if (edited && !isInWindow(edited, day)) setDay(edited.from)
                  }}
                />
              </FixedReason>
            </div>
            <DayPreview themes={themes} schedule={value.schedule} day={day} onDay={setDay} />
          </div>
        )
      }}
    </SettingsPanel>
  )
}

const nameOf = (data: Themes | undefined, id: string) => data?.themes.find((theme) => theme.id === id)?.shownName

type WindowsProps = {
  value: Schedule
  themes: Themes
  /** With the period that was changed, unless one was removed. */
  onChange: (value: Schedule, edited?: ThemeWindow) => void
}

function Windows({ value, themes, onChange }: WindowsProps) {
  const { t } = useTranslation()
  const { today } = themes
  // Not the one that is shown anyway: it would change nothing.
  const other = themes.themes.find(({ id, design }) => design && id !== themes.theme)?.id ?? themes.theme
  const first = { name: '', theme: other, grey: false, from: today, until: today, yearly: false, priority: 0 }
  const add = useFixedButton(() => onChange([...value, first], first))
  return (
    <fieldset className="theme-windows">
      <legend>{t('login-topic.windows')}</legend>
      {value.length === 0 && <p className="muted">{t('login-topic.windows-none')}</p>}
      {value.map((window, at) => (
        <ScheduleWindow
          // biome-ignore lint/suspicious/noArrayIndexKey: its place is all that a window being typed has.
          key={at}
          at={at}
          window={window}
          themes={themes.themes}
          onChange={(part) => onChange(value.with(at, { ...window, ...part }), { ...window, ...part })}
          onRemove={() => onChange(value.toSpliced(at, 1))}
        />
      ))}
      {value.length < MAX_THEME_WINDOWS && (
        <button type="button" className="button" {...add}>
          {t('login-topic.window-add')}
        </button>
      )}
    </fieldset>
  )
}

type DayProps = { themes: Themes; schedule: Schedule; day: string; onDay: (day: string) => void }

/** The login page as it will be on a day, with what is not saved yet. */
function DayPreview({ themes: { themes, theme, today }, schedule, day, onDay }: DayProps) {
  const { t, i18n } = useTranslation()
  const preview = usePreview({})
  const look = lookOn({ theme, schedule }, day)
  const shown = themes.find(({ id }) => id === look.theme) ?? themes.find(({ id }) => id === theme)
  const design = shown?.design ?? themes[0]?.design
  const words = {
    day: formatDay(day, i18n.language),
    theme: shown?.shownName ?? '',
    window: look.window && (look.window.name || t('login-topic.window', { number: schedule.indexOf(look.window) + 1 })),
  }
  return (
    <section className="theme-preview" aria-label={t('login-topic.preview')}>
      <DateField label={t('login-topic.show-day')} value={day} onChange={(chosen) => onDay(chosen ?? today)} />
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
