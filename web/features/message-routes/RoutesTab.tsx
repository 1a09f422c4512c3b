import { useTranslation } from 'react-i18next'
import {
  MESSAGE_CHANNELS,
  MESSAGE_PURPOSES,
  type MessagePurpose,
  QUOTA_KEYS,
  type StoredRoutes,
} from '#shared/contract/message-routes.ts'
import { FixedByFile } from '../../ui/FixedByFile.tsx'
import { SettingsPanel } from '../../ui/SettingsPanel.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useSettingsDraft } from '../../ui/use-settings-draft.ts'
import { RouteSteps } from './RouteSteps.tsx'
import { loadRoutes, type RoutesDraft, saveRoutes, toDraft } from './route-values.ts'

type FormProps = { stored: StoredRoutes; value: RoutesDraft; change: (next: RoutesDraft) => void }

/** The order of channels for each purpose, and their limits. */
export function RoutesTab() {
  const { t } = useTranslation()
  const settings = useSettingsDraft<StoredRoutes, RoutesDraft>({
    queryKey: ['message-routes'],
    load: loadRoutes,
    toValue: toDraft,
    save: saveRoutes,
  })
  const labels = Object.fromEntries([
    ...MESSAGE_PURPOSES.map((purpose) => [purpose, t(`message-purpose.${purpose}`)]),
    ...['quietFrom', 'quietUntil', 'quietPurposes', 'dingtalkAgentId', ...Object.values(QUOTA_KEYS)].map((key) => [
      key,
      t(`audit-field.${key}` as never),
    ]),
  ])
  const show = (_field: string, value: unknown): string => {
    if (!Array.isArray(value)) return String(value)
    const words = value.map((one) =>
      typeof one === 'string' ? t(`message-purpose.${one}` as never) : t(`message-channel.${one.channel}` as never),
    )
    return words.join(' → ')
  }
  return (
    <div className="settings-panel">
      <SettingsPanel {...settings} labels={labels} show={show}>
        {(form) => (
          <>
            {MESSAGE_PURPOSES.map((purpose) => (
              <PurposeFields key={purpose} purpose={purpose} {...form} />
            ))}
            <QuietFields {...form} />
            <QuotaFields {...form} />
          </>
        )}
      </SettingsPanel>
    </div>
  )
}

function PurposeFields({ purpose, stored, value, change }: FormProps & { purpose: MessagePurpose }) {
  const { t } = useTranslation()
  return (
    <fieldset className="message-group">
      <legend>
        <h2>{t(`message-purpose.${purpose}`)}</h2>
      </legend>
      <FixedByFile when={stored.setByFile.includes(purpose)}>
        <RouteSteps
          name={`changes.${purpose}`}
          purpose={purpose}
          steps={value[purpose]}
          channels={stored.channels}
          onChange={(steps) => change({ ...value, [purpose]: steps })}
        />
      </FixedByFile>
    </fieldset>
  )
}

const QUIETABLE = ['dormancy', 'administration', 'security'] as const

function QuietFields({ stored, value, change }: FormProps) {
  const { t } = useTranslation()
  const isFixed = (key: 'quietFrom' | 'quietUntil' | 'quietPurposes') => stored.setByFile.includes(key)
  const time = (key: 'quietFrom' | 'quietUntil') => (
    <div>
      <FixedByFile when={isFixed(key)}>
        <TextField
          name={`changes.${key}`}
          label={t(`audit-field.${key}`)}
          type="time"
          isOptional={key === 'quietFrom'}
          value={value[key]}
          onChange={(next) => change({ ...value, [key]: next })}
        />
      </FixedByFile>
    </div>
  )
  const turn = (purpose: (typeof QUIETABLE)[number], on: boolean) => {
    const others = value.quietPurposes.filter((one) => one !== purpose)
    change({ ...value, quietPurposes: on ? [...others, purpose] : others })
  }
  return (
    <fieldset className="message-group">
      <legend>
        <h2>{t('message-route.quiet')}</h2>
      </legend>
      <p className="muted">{t('message-route.quiet.text')}</p>
      <div className="message-pair">
        {time('quietFrom')}
        {time('quietUntil')}
      </div>
      <FixedByFile when={isFixed('quietPurposes')}>
        {QUIETABLE.map((purpose) => (
          <Switch
            key={purpose}
            label={t(`message-purpose.${purpose}`)}
            checked={value.quietPurposes.includes(purpose)}
            onChange={(on) => turn(purpose, on)}
          />
        ))}
      </FixedByFile>
    </fieldset>
  )
}

function QuotaFields({ stored, value, change }: FormProps) {
  const { t } = useTranslation()
  return (
    <fieldset className="message-group">
      <legend>
        <h2>{t('message-route.quota')}</h2>
      </legend>
      <p className="muted">{t('message-route.quota.text')}</p>
      <div className="message-pair">
        {MESSAGE_CHANNELS.map((channel) => {
          const key = QUOTA_KEYS[channel]
          const used = stored.channels.find((one) => one.channel === channel)?.usedToday ?? 0
          return (
            <div key={key}>
              <FixedByFile when={stored.setByFile.includes(key)}>
                <TextField
                  name={`changes.${key}`}
                  label={t(`message-channel.${channel}`)}
                  hint={t('message-route.used', { count: used })}
                  inputMode="numeric"
                  maxLength={8}
                  isOptional
                  value={value[key]}
                  onChange={(next) => change({ ...value, [key]: next })}
                />
              </FixedByFile>
            </div>
          )
        })}
      </div>
      <FixedByFile when={stored.setByFile.includes('dingtalkAgentId')}>
        <TextField
          name="changes.dingtalkAgentId"
          label={t('audit-field.dingtalkAgentId')}
          hint={t('message-route.agent.hint')}
          inputMode="numeric"
          maxLength={20}
          isOptional
          value={value.dingtalkAgentId}
          onChange={(next) => change({ ...value, dingtalkAgentId: next })}
        />
      </FixedByFile>
    </fieldset>
  )
}
