import { useTranslation } from 'react-i18next'
import type { LoginLogLine, VisitLogLine } from '#shared/contract/log-centre.ts'
import { translateOr } from '../../platform/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { Column } from '../../ui/ListTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { LogValue, type Narrow } from './log-pivots.tsx'
import './records.css'

export type LogKind = 'login' | 'visit'

/** The fields that both logs share. */
export type CommonLine = Omit<VisitLogLine, 'way' | 'protocol'>

/** The result of a record: a person may be logged in and still be refused an application. */
export const resultKeys = (kind: LogKind) =>
  kind === 'login'
    ? ({ well: 'records.result.succeeded', failed: 'records.result.failed' } as const)
    : ({ well: 'log.entered', failed: 'log.refused' } as const)

/** Why an attempt was refused, in words. */
export const reasonName = (kind: LogKind, reason: string) =>
  translateOr(`${kind}-reason.${reason}`, 'login-reason.unknown')

type ResultProps = { line: Pick<LoginLogLine, 'succeeded' | 'reason'>; kind: LogKind; onPick: Narrow }

/** An icon and a word, after a refusal also the reason. */
export function LogResult({ line: { succeeded, reason }, kind, onPick }: ResultProps) {
  const { t } = useTranslation()
  return (
    <span className="record-words">
      <span className={succeeded ? 'result result-well' : 'result result-danger'}>
        <Icon name={succeeded ? 'check' : 'close'} />
        {t(resultKeys(kind)[succeeded ? 'well' : 'failed'])}
      </span>
      {reason && (
        <LogValue name="reason" value={reason} label={reasonName(kind, reason)} onPick={onPick}>
          {reasonName(kind, reason)}
        </LogValue>
      )}
    </span>
  )
}

/** The application of a record; the portal for a login without another destination. */
export function useApplicationName() {
  const { t } = useTranslation()
  return ({ applicationId, application }: Pick<CommonLine, 'applicationId' | 'application'>): string =>
    application ?? t(applicationId === null ? 'records.portal' : 'records.application-gone')
}

export function useLogColumns<Row extends CommonLine>(kind: LogKind) {
  const { t } = useTranslation()
  const applicationName = useApplicationName()
  return (onPick: Narrow) =>
    ({
      at: { key: 'at', title: t('records.time'), opensDrawer: true, render: ({ at }) => <Time value={at} /> },
      result: {
        key: 'result',
        title: t('records.result'),
        render: (line) => <LogResult line={line} onPick={onPick} kind={kind} />,
      },
      person: {
        key: 'person',
        title: t('log.person'),
        headsCard: true,
        render: ({ userId, person, personAccount }) => (
          <LogValue name="userId" value={userId} label={person ?? ''} onPick={onPick}>
            {person ? `${person} ${personAccount}` : '—'}
          </LogValue>
        ),
      },
      organization: {
        key: 'organization',
        title: t('current-login-manage.organization'),
        isExtra: true,
        render: ({ organization }) => organization ?? '—',
      },
      category: { key: 'category', title: t('log.category'), isExtra: true, render: ({ category }) => category ?? '—' },
      application: {
        key: 'application',
        title: t('records.application'),
        render: (line) => (
          <LogValue
            name="applicationId"
            value={line.applicationId ?? 'portal'}
            label={applicationName(line)}
            onPick={onPick}
          >
            {applicationName(line)}
          </LogValue>
        ),
      },
      ip: {
        key: 'ip',
        title: t('records.ip'),
        render: ({ ip }) => (
          <LogValue name="ip" value={ip} label={ip} onPick={onPick}>
            {ip}
          </LogValue>
        ),
      },
      place: {
        key: 'place',
        title: t('records.place'),
        render: ({ onCampus, ipRange }) => (
          <span className="record-words">
            {t(onCampus ? 'place.on-campus' : 'place.off-campus')}
            <LogValue name="ipRange" value={ipRange} label={ipRange ?? ''} onPick={onPick}>
              {ipRange}
            </LogValue>
          </span>
        ),
      },
      clientType: {
        key: 'clientType',
        title: t('records.client-type'),
        isExtra: true,
        render: ({ clientType }) => t(`client-type.${clientType}`),
      },
      session: {
        key: 'session',
        title: t('log.session'),
        isExtra: true,
        render: ({ session }) => (
          <LogValue name="session" value={session} label={t('log.session')} onPick={onPick}>
            {session ? session.slice(-8) : '—'}
          </LogValue>
        ),
      },
    }) satisfies Record<string, Column<Row>>
}
