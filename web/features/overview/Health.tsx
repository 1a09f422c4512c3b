import { useTranslation } from 'react-i18next'
import type { Overview } from '#shared/contract/overview.ts'
import { Time } from '../../ui/Time.tsx'
import { Panel } from './Panel.tsx'
import { useNumbers } from './use-numbers.ts'

/** The health of the installation. */
export function Health({ day: { jobs, queues, facts } }: { day: Overview }) {
  const { t } = useTranslation()
  const { count, bytes, share } = useNumbers()
  const unwell = jobs.filter(({ state }) => state !== 'well')
  const waiting = ({ waiting, failed }: Overview['queues']['messages']) =>
    t('overview.queue', { waiting: count(waiting), failed: count(failed) })
  const rows = [
    [t('overview.messages'), waiting(queues.messages), queues.messages.failed > 0],
    [t('overview.logouts'), waiting(queues.logouts), queues.logouts.failed > 0],
    [t('overview.tasks'), waiting(queues.tasks), queues.tasks.failed > 0],
    [t('overview.database'), `PostgreSQL ${facts.database.split(' ')[0]} · ${bytes(facts.databaseBytes)}`, false],
    ...(facts.disk
      ? [
          [
            t('overview.disk'),
            t('overview.disk-free', {
              free: bytes(facts.disk.freeBytes),
              share: share(facts.disk.freeBytes, facts.disk.totalBytes),
            }),
            facts.disk.freeBytes < facts.disk.totalBytes / 10,
          ] as const,
        ]
      : []),
    [t('overview.version'), `Gatehouse ${facts.version} · Node ${facts.node}`, false],
  ] as const
  return (
    <Panel title={t('overview.health')}>
      <dl className="overview-facts">
        <div>
          <dt>{t('overview.jobs')}</dt>
          <dd>
            <State isWell={unwell.length === 0}>
              {unwell.length === 0
                ? t('overview.jobs.well', { count: jobs.length, number: count(jobs.length) })
                : t('overview.jobs.unwell', { count: unwell.length, number: count(unwell.length) })}
            </State>
          </dd>
        </div>
        {rows.map(([name, value, isUnwell]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{isUnwell ? <State isWell={false}>{value}</State> : value}</dd>
          </div>
        ))}
        {facts.signingKey && (
          <div>
            <dt>{t('overview.signing-key')}</dt>
            <dd>
              {t('overview.renews')} <Time value={facts.signingKey.renewsAt} />
            </dd>
          </div>
        )}
      </dl>
      {jobs.length > 0 && <Jobs jobs={jobs} />}
    </Panel>
  )
}

function State({ isWell, children }: { isWell: boolean; children: string }) {
  return (
    <span className={isWell ? 'overview-well' : 'overview-unwell'}>
      <span className="dot" />
      {children}
    </span>
  )
}

function Jobs({ jobs }: Pick<Overview, 'jobs'>) {
  const { t } = useTranslation()
  return (
    <details className="overview-jobs" open={jobs.some(({ state }) => state !== 'well')}>
      <summary>{t('overview.jobs.all')}</summary>
      <ul>
        {jobs.toSorted(byUnwellFirst).map(({ name, state, lastRun, error }) => (
          <li key={name}>
            <code>{name}</code>
            <span>
              {state !== 'well' && (
                <State isWell={false}>{[t(`overview.job.${state}`), error].filter(Boolean).join(' · ')}</State>
              )}{' '}
              <Time value={lastRun} ago />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

const byUnwellFirst = (a: Overview['jobs'][number], b: Overview['jobs'][number]): number =>
  Number(a.state === 'well') - Number(b.state === 'well') || (a.name < b.name ? -1 : 1)
