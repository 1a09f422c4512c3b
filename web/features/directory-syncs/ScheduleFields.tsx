import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { SyncSchedule } from '#shared/contract/directory-syncs.ts'
import { previewSyncSchedule } from '#shared/contract/sync-switch.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Time } from '../../ui/Time.tsx'
import { SYNCS_KEY } from './sync-queries.ts'

const NIGHTLY = '30 2 * * *'

type Props = { value: SyncSchedule | null; onChange: (value: SyncSchedule | null) => void }

/** The schedule of a sync, with the next five times as the server computes them. */
export function ScheduleFields({ value, onChange }: Props) {
  const { t, i18n } = useTranslation()
  const preview = useQuery({
    queryKey: [SYNCS_KEY, 'schedule', value, i18n.language],
    queryFn: ({ signal }) => call(previewSyncSchedule, { query: value as SyncSchedule }, { signal }),
    enabled: value !== null && value.cron.trim().length >= 9 && value.zone !== '',
    retry: false,
  })
  const start = () => onChange({ cron: NIGHTLY, zone: Intl.DateTimeFormat().resolvedOptions().timeZone })
  return (
    <fieldset className="sync-fieldset">
      <legend>{t('directory-sync.schedule')}</legend>
      <Switch
        label={t('directory-sync.schedule-on')}
        checked={value !== null}
        hint={t('directory-sync.schedule-hint')}
        onChange={(isOn) => (isOn ? start() : onChange(null))}
      />
      {value && (
        <>
          <div className="sync-grid">
            <TextField
              label={t('directory-sync.cron')}
              name="cron"
              hint={t('directory-sync.cron-hint')}
              value={value.cron}
              maxLength={100}
              error={failureText(preview.error)}
              onChange={(cron) => onChange({ ...value, cron })}
            />
            <TextField
              label={t('directory-sync.zone')}
              name="zone"
              value={value.zone}
              maxLength={60}
              onChange={(zone) => onChange({ ...value, zone })}
            />
          </div>
          {preview.data && (
            <div className="sync-next">
              <p className="muted">{t('directory-sync.next-runs')}</p>
              <ol>
                {preview.data.runs.map((at) => (
                  <li key={at}>
                    <Time value={at} />
                  </li>
                ))}
              </ol>
            </div>
          )}
        </>
      )}
    </fieldset>
  )
}
