import { useTranslation } from 'react-i18next'
import { type SetByFile as SetByFileKeys, testSetupMail, testSetupSms } from '#shared/contract/setup.ts'
import { call } from '../../platform/api.ts'
import { SetByFile } from '../../ui/SetByFile.tsx'
import { GatewayTest } from './GatewayTest.tsx'
import { parseMail, parseSms } from './gateway-drafts.ts'
import { MailFields } from './MailFields.tsx'
import { SetupStep, type StepControls } from './SetupStep.tsx'
import { SmsFields } from './SmsFields.tsx'
import type { SetupDraft } from './setup-draft.ts'

type Props = StepControls & {
  token: string
  draft: SetupDraft
  setByFile: SetByFileKeys
  onChange: (draft: SetupDraft) => void
  onSkip: () => void
}

const NOTHING: ReadonlySet<string> = new Set()

/** Set by the bootstrap file: nothing to ask. */
function StepOfFile({ channel, onSkip, ...frame }: StepControls & { channel: 'mail' | 'sms'; onSkip: () => void }) {
  const { t } = useTranslation()
  return (
    <SetupStep {...frame} onNext={onSkip} isReady>
      {() => (
        <fieldset>
          <legend>{t(`setup.${channel}`)}</legend>
          <SetByFile />
        </fieldset>
      )}
    </SetupStep>
  )
}

export function MailStep({ token, draft, setByFile, onChange, ...frame }: Props) {
  if (setByFile.mail) return <StepOfFile {...frame} channel="mail" />
  const { gateway, invalid } = parseMail(draft.mail)
  const send = gateway && ((to: string) => call(testSetupMail, { body: { token, gateway, to } }))
  return (
    <SetupStep {...frame} isReady={gateway !== null}>
      {({ submitted, refuse }) => (
        <>
          <MailFields
            draft={draft.mail}
            invalid={submitted ? invalid : NOTHING}
            onChange={(mail) => onChange({ ...draft, mail })}
          />
          <GatewayTest channel="mail" send={send} onUnready={refuse} />
        </>
      )}
    </SetupStep>
  )
}

export function SmsStep({ token, draft, setByFile, onChange, ...frame }: Props) {
  if (setByFile.sms) return <StepOfFile {...frame} channel="sms" />
  const { provider, sms } = draft
  const { gateway, invalid } = parseSms(provider, sms[provider])
  const send = gateway && ((to: string) => call(testSetupSms, { body: { token, gateway, to } }))
  return (
    <SetupStep {...frame} isReady={gateway !== null}>
      {({ submitted, refuse }) => (
        <>
          <SmsFields
            provider={provider}
            onProvider={(next) => onChange({ ...draft, provider: next })}
            draft={sms[provider]}
            invalid={submitted ? invalid : NOTHING}
            onChange={(changed) => onChange({ ...draft, sms: { ...sms, [provider]: changed } })}
          />
          {/* The result of another provider's test does not apply. */}
          <GatewayTest key={provider} channel="sms" send={send} onUnready={refuse} />
        </>
      )}
    </SetupStep>
  )
}
