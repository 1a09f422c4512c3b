import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { LoginLogLine, VisitLogLine } from '#shared/contract/log-centre.ts'
import { translateOr } from '../../platform/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { Column } from '../../ui/list-table.types.ts'
import { Time } from '../../ui/Time.tsx'
import { LogWord, type Narrow } from './log-pivots.tsx'
import '../../ui/login-result.css'
import './records.css'

export type LogKind = 'login' | 'visit'

/** The fields that both logs share. */
export type CommonLine = Omit<VisitLogLine, 'entry' | 'protocol'>

export type PersonOfLine = Pick<
  CommonLine,
  'userId' | 'person' | 'personAccount' | 'organizationId' | 'organization' | 'categoryId' | 'category'
>

/** Who enters an application has logged in before. */
export const resultTitle = (kind: LogKind) => (kind === 'login' ? 'records.result' : 'log.visit-result')

/** The result of a record: a person may be logged in and still be refused an application. */
export const resultKeys = (kind: LogKind) =>
  kind === 'login'
    ? ({ well: 'records.result.succeeded', failed: 'records.result.failed' } as const)
    : ({ well: 'log.entered', failed: 'log.refused' } as const)

/** Why an attempt was refused, in words. Both prefixes are spelled out: the build loads the messages that it finds so. */
export const reasonName = (kind: LogKind, reason: string) =>
  translateOr(kind === 'login' ? `login-reason.${reason}` : `visit-reason.${reason}`, 'login-reason.unknown')

type ResultProps = { line: Pick<LoginLogLine, 'succeeded' | 'reason'>; kind: LogKind; onPick: Narrow }

/** An icon and a word, after a refusal also the reason. */
export function LogResult({ line: { succeeded, reason }, kind, onPick }: ResultProps) {
  const { t } = useTranslation()
  const word = t(resultKeys(kind)[succeeded ? 'well' : 'failed'])
  return (
    <span className="record-words">
      <span className={succeeded ? 'result result-well' : 'result result-danger'}>
        <Icon name={succeeded ? 'check' : 'close'} />
        <LogWord name="result" value={succeeded ? '1' : '0'} word={word} onPick={onPick} />
      </span>
      {reason && <LogWord name="reason" value={reason} word={reasonName(kind, reason)} onPick={onPick} />}
    </span>
  )
}

/** The application of a record; the portal for a login without another destination. */
export function useApplicationName() {
  const { t } = useTranslation()
  return ({ applicationId, application }: Pick<CommonLine, 'applicationId' | 'application'>): string =>
    application ?? t(applicationId === null ? 'records.portal' : 'records.application-gone')
}

/** Names of standards, not translated. */
export const PROTOCOLS: Readonly<Record<string, string>> = { cas: 'CAS', oauth2: 'OpenID Connect' }

export const protocolName = (protocol: string | null): string | null => PROTOCOLS[protocol ?? ''] ?? null

type PlaceProps = { line: Pick<CommonLine, 'onCampus' | 'ipRange'>; onPick: Narrow }

/** On campus or not, and the range. */
function Place({ line: { onCampus, ipRange }, onPick }: PlaceProps) {
  const { t } = useTranslation()
  const word = t(onCampus ? 'place.on-campus' : 'place.off-campus')
  return (
    <span className="record-words">
      <LogWord name="onCampus" value={onCampus ? '1' : '0'} word={word} onPick={onPick} />
      {ipRange && <LogWord name="ipRange" value={ipRange} word={ipRange} onPick={onPick} />}
    </span>
  )
}

/** Enough to tell sessions apart. */
export const shortSession = (session: string): string => session.slice(-8)

export const peopleColumns = (t: TFunction, onPick: Narrow) =>
  ({
    person: {
      key: 'person',
      title: t('log.person'),
      headsCard: true,
      render: ({ userId, person, personAccount }) => (
        <LogWord name="userId" value={userId} word={person && `${person} ${personAccount}`} onPick={onPick} />
      ),
    },
    organization: {
      key: 'organization',
      title: t('current-login-manage.organization'),
      isExtra: true,
      render: ({ organizationId, organization }) => (
        <LogWord name="organizationId" value={organizationId} word={organization} onPick={onPick} />
      ),
    },
    category: {
      key: 'category',
      title: t('log.category'),
      isExtra: true,
      render: ({ categoryId, category }) => (
        <LogWord name="categoryId" value={categoryId} word={category} onPick={onPick} />
      ),
    },
  }) satisfies Record<string, Column<PersonOfLine>>

export function useLogColumns<Row extends CommonLine>(kind: LogKind) {
  const { t } = useTranslation()
  const applicationName = useApplicationName()
  return (onPick: Narrow) =>
    ({
      at: { key: 'at', title: t('records.time'), opensDrawer: true, render: ({ at }) => <Time value={at} /> },
      result: {
        key: 'result',
        title: t(resultTitle(kind)),
        render: (line) => <LogResult line={line} onPick={onPick} kind={kind} />,
      },
      ...peopleColumns(t, onPick),
      application: {
        key: 'application',
        title: t('records.application'),
        render: (line) => (
          <LogWord
            name="applicationId"
            value={line.applicationId ?? 'portal'}
            word={applicationName(line)}
            onPick={onPick}
          />
        ),
      },
      ip: {
        key: 'ip',
        title: t('records.ip'),
        render: ({ ip }) => <LogWord name="ip" value={ip} word={ip} onPick={onPick} />,
      },
      place: {
        key: 'place',
        title: t('records.place'),
        render: (line) => <Place line={line} onPick={onPick} />,
      },
      clientType: {
        key: 'clientType',
        title: t('records.client-type'),
        isExtra: true,
        render: ({ clientType }) => (
          <LogWord name="clientType" value={clientType} word={t(`client-type.${clientType}`)} onPick={onPick} />
        ),
      },
      session: {
        key: 'session',
        title: t('log.session'),
        isExtra: true,
        render: ({ session }) => (
          <LogWord name="session" value={session} word={session && shortSession(session)} onPick={onPick} />
        ),
      },
    }) satisfies Record<string, Column<Row>>
}
