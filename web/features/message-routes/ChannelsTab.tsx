import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  type ChannelCheck,
  checkChannel,
  type MessageChannel,
  QUOTA_KEYS,
  type StoredRoutes,
} from '#shared/contract/message-routes.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { useCount } from '../../platform/format-number.ts'
import { translateOr } from '../../platform/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { StateWord } from '../../ui/StateWord.tsx'
import { HttpChannelForm } from './HttpChannelForm.tsx'
import { useMessageRoutes } from './route-values.ts'

type Channel = StoredRoutes['channels'][number]

/** Where each channel is set up; the institution's own platform is set up here. */
const PLACES: Partial<Record<MessageChannel, string>> = {
  mail: '/auth_web/manage/system-settings?tab=mail',
  sms: '/auth_web/manage/system-settings?tab=sms',
  wecom: '/auth_web/manage/qywx',
  dingtalk: '/auth_web/manage/dingding',
}

const STATES = {
  down: ['danger', 'message-channel.down'],
  ready: ['well', 'message-channel.ready'],
  unset: ['quiet', 'message-channel.unset'],
} as const

/** The state of each channel, with a test. */
export function ChannelsTab() {
  const { data, error, isError, refetch } = useMessageRoutes()
  if (!data) return isError ? <FailedBlock error={error} onRetry={() => void refetch()} /> : <Skeleton lines={8} />
  return (
    <div className="message-channels">
      {data.channels.map((channel) => (
        <ChannelCard key={channel.channel} channel={channel} stored={data} />
      ))}
      <HttpChannelForm />
    </div>
  )
}

function ChannelCard({
  channel: { channel, isConfigured, isDown, usedToday },
  stored,
}: {
  channel: Channel
  stored: StoredRoutes
}) {
  const { t } = useTranslation()
  const number = useCount()
  const name = t(`message-channel.${channel}`)
  const most = stored.values[QUOTA_KEYS[channel]]
  const check = useMutation({ mutationFn: (send: boolean) => call(checkChannel, { body: { channel, send } }) })
  const [tone, word] = isDown ? STATES.down : isConfigured ? STATES.ready : STATES.unset
  const used = { used: number(usedToday), most: typeof most === 'number' ? number(most) : '' }
  const place = PLACES[channel]
  const button = (send: boolean, text: string) => (
    <button
      type="button"
      className="button"
      aria-disabled={check.isPending || undefined}
      onClick={() => !check.isPending && check.mutate(send)}
    >
      {text} <span className="visually-hidden">{name}</span>
    </button>
  )
  return (
    <section className="message-channel" aria-label={name}>
      <div className="message-channel-head">
        <h2>{name}</h2>
        <StateWord tone={tone}>{t(word)}</StateWord>
        <span className="muted">{t(used.most ? 'message-channel.used-of' : 'message-channel.used', used)}</span>
        <span className="message-channel-places">
          <a href={`/auth_web/manage/message-log?channel=${channel}`}>
            {t('message-log.title')} <span className="visually-hidden">{name}</span>
          </a>
          {place && (
            <a href={place}>
              {t('message-channel.set-up')} <span className="visually-hidden">{name}</span>
            </a>
          )}
        </span>
      </div>
      {channel === 'dingtalk' && !isConfigured && <p className="muted">{t('channel-fault.not-configured')}</p>}
      {isConfigured && (
        <div className="message-channel-verbs">
          {button(false, t('message-channel.check'))}
          {button(true, t('message-channel.send'))}
        </div>
      )}
      <div role="status">
        {check.isPending && <p className="muted">{t('vendor.checking')}</p>}
        {!check.isPending && check.isError && <p className="banner banner-danger">{failureText(check.error)}</p>}
        {!check.isPending && check.data && <CheckSteps channel={channel} steps={check.data.steps} />}
      </div>
    </section>
  )
}

const ICONS = { well: 'check', failed: 'warning', skipped: 'more' } as const
const VENDORS: Partial<Record<MessageChannel, string>> = { wecom: 'qywx', dingtalk: 'dingding' }
/** Steps that ask the provider. */
const VENDOR_STEPS = ['secret', 'application', 'permission', 'range']

function CheckSteps({ channel, steps }: { channel: MessageChannel; steps: ChannelCheck['steps'] }) {
  const { t } = useTranslation()
  const wordsOf = (step: string, reason: string, code: string | null): string => {
    if (VENDOR_STEPS.includes(step))
      return translateOr(`vendor-fault.${VENDORS[channel]}.${code}`, `vendor-fault.${reason}` as never)
    return translateOr(`channel-fault.${reason}`, `message-reason.${reason}` as never)
  }
  return (
    <ul className="message-checks">
      {steps.map(({ step, outcome, reason, code }) => (
        <li key={step} className={`message-check message-check-${outcome}`}>
          <Icon name={ICONS[outcome]} />
          <div>
            <strong>{t(`channel-step.${step}`)}</strong> <span className="muted">{t(`vendor-outcome.${outcome}`)}</span>
            {reason && (
              <p>
                {wordsOf(step, reason, code)}
                {code && <code> {code}</code>}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
