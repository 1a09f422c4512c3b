import { type ReactNode, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type MailState,
  queryMessageGateways,
  type SmsGateway,
  type SmsState,
  saveMailGateway,
  saveSmsGateway,
  testMailGateway,
  testSmsGateway,
} from '#shared/contract/message-gateways.ts'
import { call } from '../../platform/api.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { FixedReason } from '../../ui/fixed-field.ts'
import { SetByFile } from '../../ui/SetByFile.tsx'
import { SettingsPanel } from '../../ui/SettingsPanel.tsx'
import { tellingConflict } from '../../ui/use-seen-version.ts'
import { type Shown, useSettingsDraft } from '../../ui/use-settings-draft.ts'
import { GatewayTest } from './GatewayTest.tsx'
import {
  type Draft,
  EMPTY_MAIL,
  EMPTY_SMS,
  parseMail,
  parseSms,
  SECRET_FIELD,
  type SmsProvider,
  toDraft,
} from './gateway-drafts.ts'
import { MailFields } from './MailFields.tsx'
import { SmsFields } from './SmsFields.tsx'

const NOTHING: ReadonlySet<string> = new Set()

/** Invalid fields are marked from the first attempt to save or test; the first one takes the focus. */
function useRefusedFields(invalid: ReadonlySet<string>) {
  const [isRefused, setRefused] = useState(false)
  const form = useRef<HTMLDivElement>(null)
  return {
    form,
    shown: isRefused ? invalid : NOTHING,
    refuse: () => {
      setRefused(true)
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
    },
  }
}

/** A stored secret is only used with the address it was entered for: otherwise ask for it again. */
const withSecret = (invalid: ReadonlySet<string>, error: unknown, field: string): ReadonlySet<string> =>
  isRefusal(error, 'settings.secret-needed') ? new Set([...invalid, field]) : invalid

type FrameProps = {
  state: MailState | SmsState
  channel: 'mail' | 'sms'
  onRemove: () => Promise<unknown>
  children: ReactNode
}

/** The fields (possibly set by the bootstrap file), whether the gateway is suspended, and a button to remove it. */
function GatewayFrame({ state, channel, onRemove, children }: FrameProps) {
  const { t } = useTranslation()
  const id = useId()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      {state.isSetByFile && <SetByFile id={id} />}
      {state.isDown && <p className="banner banner-danger">{t(`system-settings.${channel}-down`)}</p>}
      <fieldset>
        <FixedReason value={state.isSetByFile ? id : undefined}>{children}</FixedReason>
      </fieldset>
      {state.gateway && !state.isSetByFile && (
        <div>
          <button type="button" className="button button-quiet" onClick={() => setAsking(true)}>
            {t(`system-settings.${channel}-remove`)}
          </button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t(`system-settings.${channel}-remove.ask`)}
          verb={t(`system-settings.${channel}-remove`)}
          onConfirm={onRemove}
          onClose={() => setAsking(false)}
        >
          <p>{t(`system-settings.${channel}-remove.text`)}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** What is typed goes with the gateway, so that the next try is for what somebody else saved. */
const removing = <Stored, Value>(request: Promise<unknown>, onTheirs: (current: Shown<Stored, Value>) => void) =>
  tellingConflict<unknown, Shown<Stored, Value>>(() => request, {
    reread: (current) => {
      if (current) onTheirs(current)
    },
  })

const loadMail = async (signal: AbortSignal | null): Promise<MailState> =>
  (await call(queryMessageGateways, {}, { ...(signal && { signal }) })).mail
const loadSms = async (signal: AbortSignal | null): Promise<SmsState> =>
  (await call(queryMessageGateways, {}, { ...(signal && { signal }) })).sms

/** The mail server. */
export function MailPanel() {
  const { t } = useTranslation()
  const settings = useSettingsDraft<MailState, Draft>({
    queryKey: ['message-gateways', 'mail'],
    load: loadMail,
    toValue: ({ gateway }) => toDraft(gateway, EMPTY_MAIL),
    // Empty removes the gateway: messages of this channel are no longer sent.
    save: async ({ version }, value) => {
      await call(saveMailGateway, { body: { version, gateway: parseMail(value).gateway } })
      return await loadMail(null)
    },
  })
  const { gateway, invalid } = parseMail(settings.draft?.value ?? EMPTY_MAIL)
  const { form, shown, refuse } = useRefusedFields(invalid)
  const labels = {
    host: t('gateway.mail-host'),
    port: t('gateway.port'),
    security: t('gateway.security'),
    user: t('gateway.user'),
    from: t('gateway.from'),
  }
  return (
    <div className="settings-panel" ref={form}>
      <SettingsPanel
        {...settings}
        labels={labels}
        onSave={async () => (gateway ? await settings.draft?.save() : refuse())}
      >
        {({ stored, value, change, save, takeTheirs }, error) => (
          <>
            <GatewayFrame state={stored} channel="mail" onRemove={() => removing(save(EMPTY_MAIL), takeTheirs)}>
              <MailFields draft={value} invalid={withSecret(shown, error, SECRET_FIELD.mail)} onChange={change} />
            </GatewayFrame>
            <GatewayTest
              channel="mail"
              send={gateway && ((to) => call(testMailGateway, { body: { gateway, to } }))}
              onUnready={refuse}
            />
          </>
        )}
      </SettingsPanel>
    </div>
  )
}

/** The fields of one provider, and its name. */
type SmsDraft = Draft & { readonly provider: SmsProvider }

const toSmsDraft = (gateway: SmsGateway | null, provider: SmsProvider = gateway?.provider ?? 'aliyun'): SmsDraft => ({
  ...toDraft(gateway?.provider === provider ? gateway : null, EMPTY_SMS[provider]),
  provider,
})

const parseSmsDraft = ({ provider, ...fields }: SmsDraft, stored: SmsGateway | null) =>
  parseSms(provider, fields, stored)

/** The SMS provider. */
export function SmsPanel() {
  const { t } = useTranslation()
  const settings = useSettingsDraft<SmsState, SmsDraft>({
    queryKey: ['message-gateways', 'sms'],
    load: loadSms,
    toValue: ({ gateway }) => toSmsDraft(gateway),
    save: async ({ version, gateway: stored }, value) => {
      await call(saveSmsGateway, { body: { version, gateway: parseSmsDraft(value, stored).gateway } })
      return await loadSms(null)
    },
  })
  const { draft } = settings
  const { gateway, invalid } = parseSmsDraft(draft?.value ?? toSmsDraft(null), draft?.stored.gateway ?? null)
  const { form, shown, refuse } = useRefusedFields(invalid)
  const labels = {
    provider: t('gateway.provider'),
    url: t('gateway.url'),
    signName: t('gateway.sign-name'),
    codeTemplate: t('gateway.code-template'),
    noticeTemplate: t('gateway.notice-template'),
    accessKeyId: t('gateway.access-key-id'),
    secretId: t('gateway.secret-id'),
    sdkAppId: t('gateway.sdk-app-id'),
    region: t('gateway.region'),
    appId: t('gateway.app-id'),
  }
  return (
    <div className="settings-panel" ref={form}>
      <SettingsPanel {...settings} labels={labels} onSave={async () => (gateway ? await draft?.save() : refuse())}>
        {({ stored, value, change, save, takeTheirs }, error) => (
          <>
            <GatewayFrame state={stored} channel="sms" onRemove={() => removing(save(toSmsDraft(null)), takeTheirs)}>
              <SmsFields
                provider={value.provider}
                onProvider={(provider) => change(toSmsDraft(stored.gateway, provider))}
                draft={value}
                invalid={withSecret(shown, error, SECRET_FIELD[value.provider])}
                onChange={(fields) => change({ ...fields, provider: value.provider })}
              />
            </GatewayFrame>
            <GatewayTest
              key={value.provider}
              channel="sms"
              send={gateway && ((to) => call(testSmsGateway, { body: { gateway, to } }))}
              onUnready={refuse}
            />
          </>
        )}
      </SettingsPanel>
    </div>
  )
}
