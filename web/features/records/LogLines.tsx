import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getLoginLine, getVisitLine, type LoginLogLine } from '#shared/contract/log-centre.ts'
import { call } from '../../platform/api.ts'
import { translateOr } from '../../platform/i18n.ts'
import { authTypeName } from '../../ui/auth-type-name.ts'
import { FactList } from '../../ui/FactList.tsx'
import { DeliveryList } from '../../ui/LogoutDeliveries.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Time } from '../../ui/Time.tsx'
import { type CommonLine, LogResult, protocolName, useApplicationName } from './log-columns.tsx'
import { LogFact, type Narrow } from './log-pivots.tsx'

type LineProps = { id: string; onPick: Narrow }
type Aftermath = {
  session: string | null
  sessionState: { openedAt: string; endedAt: string | null; endReason: string | null } | null
  deliveries: Parameters<typeof DeliveryList>[0]['deliveries']
}

/** All details of a login. */
export function LoginLine({ id, onPick }: LineProps) {
  const { t } = useTranslation()
  const query = useQuery({
    queryKey: ['login-log-line', id],
    queryFn: ({ signal }) => call(getLoginLine, { query: { key: id } }, { signal }),
  })
  const facts = useCommonFacts(onPick)
  const { data: line } = query
  if (!line) return <Awaited query={query} />
  const fact = (name: string, value: string, word = value) => (
    <LogFact name={name} value={value} label={word} onPick={onPick}>
      {word || '—'}
    </LogFact>
  )
  return (
    <>
      <FactList
        rows={[
          [t('records.login-time'), <Time key="at" value={line.at} />],
          [t('records.result'), <LogResult key="result" line={line} kind="login" onPick={onPick} />],
          [t('records.account'), fact('accountIs', line.account)],
          ...facts(line),
          [t('records.auth-type'), fact('authType', line.authType, line.provider ?? authTypeName(line.authType))],
          [t('log.factor'), fact('factor', line.factor ?? 'none', t(`log.factor.${line.factor ?? 'none'}`))],
          [t('records.browser'), fact('browser', line.browser)],
          [t('records.device'), fact('device', line.device)],
          [t('records.logout-time'), line.logoutAt && <Time value={line.logoutAt} />],
          [t('log.request'), line.requestId],
          [t('records.record-number'), line.id],
        ]}
      />
      {line.rules.length > 0 && <Rules rules={line.rules} onPick={onPick} />}
      <Afterwards line={line} />
    </>
  )
}

/** All details of a visit. */
export function VisitLine({ id, onPick }: LineProps) {
  const { t } = useTranslation()
  const query = useQuery({
    queryKey: ['app-visit-log-line', id],
    queryFn: ({ signal }) => call(getVisitLine, { query: { key: id } }, { signal }),
  })
  const facts = useCommonFacts(onPick)
  const { data: line } = query
  if (!line) return <Awaited query={query} />
  return (
    <>
      <FactList
        rows={[
          [t('records.access-time'), <Time key="at" value={line.at} />],
          [t('log.visit-result'), <LogResult key="result" line={line} kind="visit" onPick={onPick} />],
          ...facts(line),
          [
            t('records.entry'),
            <LogFact
              key="entry"
              name="entry"
              value={line.entry}
              label={t(`records.entry.${line.entry}`)}
              onPick={onPick}
            >
              {t(`records.entry.${line.entry}`)}
            </LogFact>,
          ],
          [
            t('log.protocol'),
            <LogFact
              key="protocol"
              name="protocol"
              value={line.protocol}
              label={protocolName(line.protocol) ?? ''}
              onPick={onPick}
            >
              {protocolName(line.protocol) ?? '—'}
            </LogFact>,
          ],
          [t('records.record-number'), line.id],
        ]}
      />
      <Afterwards line={line} />
    </>
  )
}

export function Awaited({ query }: { query: { isError: boolean; error: unknown; refetch: () => unknown } }) {
  if (query.isError) return <FailedBlock error={query.error} onRetry={() => void query.refetch()} />
  return <Skeleton lines={8} />
}

function useCommonFacts(onPick: Narrow): (line: CommonLine) => (readonly [string, ReactNode])[] {
  const { t } = useTranslation()
  const applicationName = useApplicationName()
  const fact = (name: string, value: string | null, word = value) => (
    <LogFact name={name} value={value} label={word ?? ''} onPick={onPick}>
      {word ?? '—'}
    </LogFact>
  )
  return (line) => [
    [t('log.person'), fact('userId', line.userId, line.person && `${line.person} ${line.personAccount}`)],
    [t('current-login-manage.organization'), fact('organizationId', line.organizationId, line.organization)],
    [t('log.category'), fact('categoryId', line.categoryId, line.category)],
    [t('records.application'), fact('applicationId', line.applicationId ?? 'portal', applicationName(line))],
    [t('records.ip'), fact('ip', line.ip)],
    [
      t('records.place'),
      fact('onCampus', line.onCampus ? '1' : '0', t(line.onCampus ? 'place.on-campus' : 'place.off-campus')),
    ],
    [t('log.range'), fact('ipRange', line.ipRange)],
    [t('records.client-type'), fact('clientType', line.clientType, t(`client-type.${line.clientType}`))],
    [t('log.session'), fact('session', line.session)],
  ]
}

function Rules({ rules, onPick }: { rules: LoginLogLine['rules']; onPick: Narrow }) {
  const { t } = useTranslation()
  return (
    <section className="log-part">
      <h3>{t('log.rules')}</h3>
      <FactList
        rows={rules.map(({ rule, name, outcome, mode }) => [
          name,
          <span key={rule} className="log-fact">
            {mode === 'on'
              ? t(`access-rule.outcome.${outcome}`)
              : t('log.rule-would', { outcome: t(`access-rule.outcome.${outcome}`) })}
            <button type="button" className="button button-quiet" onClick={() => onPick('rule', rule, false)}>
              {t('log.rule-logins')}
            </button>
          </span>,
        ])}
      />
    </section>
  )
}

/** What became of the session, and which applications were notified of its end. */
function Afterwards({ line: { session, sessionState, deliveries } }: { line: Aftermath }) {
  const { t } = useTranslation()
  if (!session) return null
  return (
    <section className="log-part">
      <h3>{t('log.session')}</h3>
      {sessionState ? <SessionFacts {...sessionState} /> : <p className="muted">{t('log.session-gone')}</p>}
      {(!sessionState || sessionState.endedAt) && deliveries.length > 0 && <DeliveryList deliveries={deliveries} />}
    </section>
  )
}

function SessionFacts({ openedAt, endedAt, endReason }: NonNullable<Aftermath['sessionState']>) {
  const { t } = useTranslation()
  const ended = endedAt ? <Time key="ended" value={endedAt} /> : t('log.session-goes-on')
  return (
    <FactList
      rows={[
        [t('log.session-opened'), <Time key="opened" value={openedAt} />],
        [t('log.session-ended'), ended],
        ...(endReason
          ? [[t('log.session-end'), translateOr(`log.session-end.${endReason}`, 'log.session-end.other')] as const]
          : []),
      ]}
    />
  )
}
