import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { getMessageLine, type Sending } from '#shared/contract/message-log.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { FactList } from '../../ui/FactList.tsx'
import { Time } from '../../ui/Time.tsx'
import { Awaited } from './LogLines.tsx'
import { LogFact, type Narrow } from './log-pivots.tsx'
import { MessageState } from './MessageState.tsx'

const GATEWAYS = {
  smtp: 'message-log.gateway.smtp',
  aliyun: 'gateway.provider.aliyun',
  tencent: 'gateway.provider.tencent',
  gateway: 'gateway.provider.gateway',
  http: 'message-channel.http',
  wecom: 'message-channel.wecom',
  dingtalk: 'message-channel.dingtalk',
  outbox: 'message-log.gateway.outbox',
} as const

const isNamed = (gateway: string): gateway is keyof typeof GATEWAYS => Object.hasOwn(GATEWAYS, gateway)

/** What sent a message, in words; null: nothing did. */
const gatewayName = (t: TFunction, gateway: string | null): string | null =>
  gateway !== null && isNamed(gateway) ? t(GATEWAYS[gateway]) : null

/** All details of a message, with every channel that was tried. */
export function MessageLine({ id, onPick }: { id: string; onPick: Narrow }) {
  const { t } = useTranslation()
  const query = useQuery({
    queryKey: ['message-log-line', id],
    queryFn: ({ signal }) => call(getMessageLine, { query: { key: id } }, { signal }),
  })
  const { data: line } = query
  if (!line) return <Awaited query={query} />
  const { purpose, userId, person } = line
  return (
    <>
      <FactList
        rows={[
          [t('message-log.template'), t(`message-template.name.${line.template}`)],
          [
            t('message-log.purpose'),
            <LogFact
              key="purpose"
              name="purpose"
              value={purpose}
              label={t(`message-purpose.${purpose}`)}
              onPick={onPick}
            >
              {t(`message-purpose.${purpose}`)}
            </LogFact>,
          ],
          [
            t('log.person'),
            <LogFact key="person" name="userId" value={userId} label={person ?? ''} onPick={onPick}>
              {person ? `${person} ${line.personAccount}` : '—'}
            </LogFact>,
          ],
          [t('current-login-manage.organization'), line.organization ?? '—'],
          [t('message-log.valid-until'), <Time key="until" value={line.expiresAt} />],
          ...(line.nextAttemptAt
            ? [[t('message-log.next-attempt'), <Time key="next" value={line.nextAttemptAt} />] as const]
            : []),
          [t('message-log.gateway'), [gatewayName(t, line.gateway), line.gatewayId].filter(Boolean).join(' · ')],
          [t('records.record-number'), line.id],
        ]}
      />
      <section className="log-part">
        <h3>{t('message-log.route')}</h3>
        <ol className="message-log-route">
          {line.route.map((one) => (
            <SendingItem key={one.id} sending={one} isCurrent={one.id === line.id} />
          ))}
        </ol>
      </section>
    </>
  )
}

function SendingItem({ sending, isCurrent }: { sending: Sending; isCurrent: boolean }) {
  const { t } = useTranslation()
  const number = useCount()
  const { channel, to, at, attempts, finishedAt, words } = sending
  return (
    <li aria-current={isCurrent || undefined}>
      <p>
        <strong>{t(`message-channel.${channel}`)}</strong> {to} · <Time value={at} />
      </p>
      <MessageState sending={sending} />
      <p className="muted">
        {t('message-log.attempts-made', { count: attempts, total: number(attempts) })}
        {finishedAt && (
          <>
            {' · '}
            <Time value={finishedAt} />
          </>
        )}
        {words && ` · ${t('gateway.words', { words })}`}
      </p>
    </li>
  )
}
