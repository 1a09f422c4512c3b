import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { confirmDormancyRun, type DormancyRun, dormancyRun } from '#shared/contract/account-holds.ts'
import { call } from '../../platform/api.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import { notify } from '../../platform/notices.ts'
import { isSuperUser, useUser } from '../../platform/session.ts'
import { useOnChange } from '../../platform/use-on-change.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { refreshPeople } from './people-queries.ts'
import './users.css'

const KEY = ['dormancy-run']
const REFRESH_MS = 2000

/** The latest nightly run and the time of the next one; for super users. Repeated while one is under way. */
function useDormancyRun() {
  const client = useQueryClient()
  return useQuery({
    queryKey: KEY,
    // Repetitions don't count as activity of the session.
    queryFn: ({ signal }) => call(dormancyRun, {}, { signal, background: client.getQueryData(KEY) !== undefined }),
    enabled: isSuperUser(useUser()),
    refetchInterval: ({ state }) => (state.data?.isUnderWay ? REFRESH_MS : false),
  }).data
}

/** What the last nightly run did, and when the next one begins. */
export function DormancyRunNote() {
  const { t, i18n } = useTranslation()
  const run = useDormancyRun()
  if (!run?.nextAt) return null
  const time = (at: string) => formatDateTime(new Date(at), i18n.language)
  const { latest, isUnderWay, nextAt } = run
  return (
    <>
      {latest && !latest.isHeld && !isUnderWay && (
        <span className="run-line">{t('sleep-account.run.latest', { ...latest, at: time(latest.at) })}</span>
      )}
      <span className="run-line">{t('sleep-account.run.next', { at: time(nextAt) })}</span>
    </>
  )
}

/** A run that waits for a confirmation, with the button for it. */
export function HeldDormancyRun() {
  const { t, i18n } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const known = useDormancyRun()
  const { latest: run, isUnderWay = false } = known ?? {}
  // The list shows whom a run has made dormant, also one that began and ended between two requests.
  useOnChange(known && (isUnderWay ? 'under way' : `${run?.at} ${run?.isHeld}`), () => {
    if (!isUnderWay) void refreshPeople()
  })
  if (!run?.isHeld || isUnderWay) return null
  return (
    <section className="banner banner-caution held-run" aria-label={t('sleep-account.held.title')}>
      <span>{t('sleep-account.held', { ...run, at: formatDateTime(new Date(run.at), i18n.language) })}</span>
      <button type="button" className="button" onClick={() => setAsking(true)}>
        {t('sleep-account.held.confirm')}
      </button>
      {isAsking && <ConfirmDialog run={run} onClose={() => setAsking(false)} />}
    </section>
  )
}

function ConfirmDialog({ run, onClose }: { run: DormancyRun; onClose: () => void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const submit = async () => {
    const { people, dormant, locked, told } = run
    await call(confirmDormancyRun, { body: { people, dormant, locked, told } })
    notify('well', t('sleep-account.held.confirmed'))
    await client.invalidateQueries({ queryKey: KEY })
  }
  return (
    <FormDialog
      title={t('sleep-account.held.ask')}
      verb={t('sleep-account.held.confirm')}
      onSubmit={submit}
      onClose={onClose}
      isDanger
    >
      <p>{t('sleep-account.held.effect', run)}</p>
    </FormDialog>
  )
}
