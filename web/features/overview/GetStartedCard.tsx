import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type GetStarted,
  type GetStartedStep,
  queryGetStarted,
  updateGetStarted,
} from '#shared/contract/get-started.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { queryClient } from '../../platform/queries.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { Time } from '../../ui/Time.tsx'
import './get-started.css'

const KEY = ['get-started']
/** While something is left to do, it may be done in another tab. */
const REFRESH_INTERVAL_MS = 15_000

const isLeft = (list: GetStarted | undefined): boolean =>
  list !== undefined && !list.isDismissed && list.steps.some(({ isDone }) => !isDone)

/** The remaining steps of the set-up, polled while shown. */
export const useGetStarted = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal, client }) =>
      call(queryGetStarted, {}, { signal, background: client.getQueryData(KEY) !== undefined }),
    refetchInterval: ({ state }) => isLeft(state.data) && REFRESH_INTERVAL_MS,
    refetchOnWindowFocus: ({ state }) => isLeft(state.data) && 'always',
  })

const save = async (body: { isDismissed?: boolean; isBackupTested?: boolean }) =>
  queryClient.setQueryData(KEY, await call(updateGetStarted, { body }))

/** There is no form to show the error. */
const attempt = (change: Promise<unknown>) => change.catch(notifyFailure)

/** Where each step is done; an open part of it may be elsewhere. */
type PageLink = { to: string; search?: Record<string, string> }

const LINKS: Partial<Record<GetStartedStep, PageLink>> = {
  https: { to: '/manage/system-settings', search: { tab: 'addresses' } },
  institution: { to: '/manage/system-settings' },
  mail: { to: '/manage/system-settings', search: { tab: 'mail' } },
  sms: { to: '/manage/system-settings', search: { tab: 'sms' } },
  'second-factor': { to: '/manage/login-config' },
  people: { to: '/manage/organization/import' },
  application: { to: '/manage/application-manage/new' },
  backup: { to: '/manage/system-settings', search: { tab: 'start' } },
}
const OWN_FACTOR: PageLink = { to: '/account-security/two-step' }

/** The getting-started list; disappears for good when everything is done or somebody hides it. */
export function GetStartedCard({ list }: { list: GetStarted }) {
  const { t } = useTranslation()
  const left = list.steps.filter(({ isDone }) => !isDone).length
  const isFinished = useFinish(list, left)
  const hide = useMutation({
    mutationFn: () => save({ isDismissed: true }),
    onSuccess: () => notify('plain', t('get-started.hidden')),
    onError: notifyFailure,
  })
  if (isFinished) {
    return (
      <p className="banner get-started-finished" role="status">
        <Icon name="check" />
        {t('get-started.finished')}
      </p>
    )
  }
  if (list.isDismissed || left === 0) return null
  return (
    <section className="card overview-card get-started" aria-labelledby="get-started-title">
      <header>
        <div>
          <h2 id="get-started-title">{t('get-started.title')}</h2>
          <p className="muted" role="status">
            {t('get-started.progress', { done: list.steps.length - left, all: list.steps.length })}
          </p>
        </div>
        <button
          type="button"
          className="button button-quiet"
          aria-disabled={hide.isPending || undefined}
          onClick={() => !hide.isPending && hide.mutate()}
        >
          {t('get-started.hide')}
        </button>
      </header>
      <ol>
        {list.steps.map((step) => (
          <Step key={step.name} step={step} list={list} />
        ))}
      </ol>
    </section>
  )
}

/** When the last step is done while somebody watches, say so once and dismiss the list for everybody. */
function useFinish({ isDismissed }: GetStarted, left: number): boolean {
  const before = useRef(left)
  const [isFinished, setFinished] = useState(false)
  useEffect(() => {
    const isNew = before.current > 0 && left === 0 && !isDismissed
    before.current = left
    if (!isNew) return
    setFinished(true)
    // Retried when the page is next opened with everything done.
    save({ isDismissed: true }).catch(() => undefined)
  }, [left, isDismissed])
  return isFinished
}

type StepProps = { step: GetStarted['steps'][number]; list: GetStarted }

function Step({ step: { name, isDone, hint }, list: { backupTestedAt, backupTestedBy } }: StepProps) {
  const { t } = useTranslation()
  return (
    <li className={isDone ? 'get-started-done' : undefined}>
      <span className="get-started-mark">{isDone && <Icon name="check" />}</span>
      <div>
        <h3>
          <StepTitle name={name} link={hint === 'own' ? OWN_FACTOR : LINKS[name]} />
          <span className="visually-hidden">{t(isDone ? 'get-started.is-done' : 'get-started.is-open')}</span>
        </h3>
        {name === 'backup' && backupTestedAt ? (
          <p className="muted">
            {t('get-started.backup.by', { account: backupTestedBy ?? '' })} <Time value={backupTestedAt} />
          </p>
        ) : (
          <p className="muted">{t(hint ? `get-started.${hint}.text` : `get-started.${name}.text`)}</p>
        )}
        {name === 'backup' && !isDone && <BackupTick />}
      </div>
    </li>
  )
}

function StepTitle({ name, link }: { name: GetStartedStep; link: PageLink | undefined }) {
  const { t } = useTranslation()
  const { routesByPath } = useRouter()
  const title = t(`get-started.${name}`)
  if (!link || !(link.to in routesByPath)) return title
  return (
    <Link to={link.to} search={(link.search ?? {}) as never}>
      {title}
    </Link>
  )
}

function BackupTick() {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <button type="button" className="button" onClick={() => setAsking(true)}>
        {t('get-started.backup.tick')}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={t('get-started.backup.ask')}
          verb={t('get-started.backup.confirm')}
          tone="primary"
          onConfirm={() => save({ isBackupTested: true })}
          onClose={() => setAsking(false)}
        >
          <p>{t('get-started.backup.means')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Replaces empty charts: what they will show, and what comes first. */
export function FirstDayPanel() {
  const { t } = useTranslation()
  return (
    <section className="card overview-card get-started-first" aria-labelledby="first-day-title">
      <h2 id="first-day-title">{t('first-day.title')}</h2>
      <p>{t('first-day.text')}</p>
      <p className="form-actions">
        <Link to="/manage/organization/import" className="button button-primary">
          {t('first-day.import')}
        </Link>
        <Link to="/manage/application-manage/new" className="button">
          {t('first-day.application')}
        </Link>
      </p>
    </section>
  )
}

/** Shows a hidden list again, and what was said about the backup. */
export function GetStartedPanel() {
  const { t } = useTranslation()
  const { data, error, refetch } = useGetStarted()
  if (!data) return error ? <FailedBlock error={error} onRetry={() => void refetch()} /> : <Skeleton lines={3} />
  const { isDismissed, backupTestedAt, backupTestedBy } = data
  return (
    <div className="settings-form form-card">
      <Switch
        label={t('get-started.show')}
        hint={t('get-started.show.hint')}
        checked={!isDismissed}
        onChange={(isShown) => void attempt(save({ isDismissed: !isShown }))}
      />
      <div className="get-started-backup">
        <h2>{t('get-started.backup')}</h2>
        <p>{t('get-started.backup.how')}</p>
        {backupTestedAt ? (
          <p>
            {t('get-started.backup.by', { account: backupTestedBy ?? '' })} <Time value={backupTestedAt} />
          </p>
        ) : (
          <p className="muted">{t('get-started.backup.text')}</p>
        )}
        <BackupTick />
      </div>
    </div>
  )
}
