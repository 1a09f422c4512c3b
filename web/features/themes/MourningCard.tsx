import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isInWindow } from '#shared/rules/theme-schedule.ts'
import { formatDay } from '../../platform/format-time.ts'
import { notify } from '../../platform/notices.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { queryClient } from '../../platform/queries.ts'
import { DateField } from '../../ui/DateField.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { tellingConflict } from '../../ui/use-seen-version.ts'
import { type Schedule, saveSchedule, type Themes } from './schedule-draft.ts'
import { refreshThemes } from './theme-queries.ts'

/** Days of mourning come at short notice: makes every page grey at once, until the end of a day. */
export function MourningCard({ stored }: { stored: Themes }) {
  const { t, i18n } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const { schedule, version, today } = stored
  const isGreyNow = (window: Schedule[number]) => window.grey && isInWindow(window, today)
  const [shown] = schedule.filter(isGreyNow)
  const save = async (next: Schedule) => {
    const saved = await tellingConflict(() => saveSchedule(version, { schedule: next }), { reread: refreshThemes })
    queryClient.setQueryData(['themes'], saved)
    await queryClient.invalidateQueries({ queryKey: ['changes'] })
  }
  const end = () =>
    void save(schedule.filter((window) => !isGreyNow(window))).then(
      () => notify('well', t('login-topic.mourning-ended')),
      notifyFailure,
    )
  return (
    <section className="banner theme-mourning" aria-label={t('login-topic.mourning')}>
      <p>
        {shown
          ? t('login-topic.mourning-on', { day: formatDay(shown.until, i18n.language) })
          : t('login-topic.mourning-text')}
      </p>
      {shown ? (
        <button type="button" className="button" onClick={end}>
          {t('login-topic.mourning-end')}
        </button>
      ) : (
        <button type="button" className="button" onClick={() => setAsking(true)}>
          {t('login-topic.mourning-start')}
        </button>
      )}
      {isAsking && (
        <MourningDialog
          today={today}
          onClose={() => setAsking(false)}
          onSave={async (until) => {
            const name = t('login-topic.mourning')
            await save([...schedule, { name, theme: null, grey: true, from: today, until, yearly: false, priority: 9 }])
            notify('well', t('login-topic.mourning-started'))
          }}
        />
      )}
    </section>
  )
}

type DialogProps = { today: string; onSave: (until: string) => Promise<void>; onClose: () => void }

function MourningDialog({ today, onSave, onClose }: DialogProps) {
  const { t } = useTranslation()
  const [until, setUntil] = useState(today)
  return (
    <FormDialog
      title={t('login-topic.mourning-title')}
      verb={t('login-topic.mourning-verb')}
      isDirty={until !== today}
      onSubmit={() => onSave(until)}
      onClose={onClose}
    >
      <p>{t('login-topic.mourning-explain')}</p>
      <DateField
        label={t('login-topic.window-until')}
        value={until}
        min={today}
        onChange={(day) => setUntil(day ?? today)}
      />
    </FormDialog>
  )
}
