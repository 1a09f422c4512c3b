import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { confirmDormancyRun, type DormancyRun, dormancyRun } from '#shared/contract/account-holds.ts'
import { call } from '../../platform/api.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import { notify } from '../../platform/notices.ts'
import { isSuperUser, useUser } from '../../platform/session.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { refreshPeople } from './people-queries.ts'
import './users.css'

const KEY = ['dormancy-run']
/** A confirmed run begins within a second. */
const REFRESH_MS = 2000

/** The latest nightly run and the time of the next one; for super users. */
const useDormancyRun = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(dormancyRun, {}, { signal }),
    enabled: isSuperUser(useUser()),
    refetchInterval: ({ state }) => (state.data?.latest?.isHeld ? REFRESH_MS : false),
  }).data

/** What the nightly check did last, and when it comes next. */
export function DormancyRunNote() {
  const { t, i18n } = useTranslation()
  const run = useDormancyRun()
  if (!run?.nextAt) return null
  const time = (at: string) => formatDateTime(new Date(at), i18n.language)
  const { latest, nextAt } = run
  return (
    <>
      {' '}
      {latest && !latest.isHeld && t('sleep-account.run.latest', { ...latest, at: time(latest.at) })}{' '}
      {t('sleep-account.run.next', { at: time(nextAt) })}
    </>
  )
}

/** A run that waits for a confirmation, with the button for it. */
export function HeldDormancyRun() {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const run = useDormancyRun()?.latest
  const isHeld = run?.isHeld ?? false
  const wasHeld = useRef(isHeld)
  // The list shows whom the run that was held has made dormant.
  useEffect(() => {
    if (wasHeld.current && !isHeld) void refreshPeople()
    wasHeld.current = isHeld
  }, [isHeld])
  if (!run || !isHeld) return null
  return (
    <section className="banner banner-caution held-run" aria-label={t('sleep-account.held.title')}>
      <span>{t('sleep-account.held', run)}</span>
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
    await call(confirmDormancyRun, { body: {} })
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
