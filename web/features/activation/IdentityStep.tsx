import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Activation, proveActivationIdentity } from '#shared/contract/activation.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { refusalMessage } from '../../platform/refusal.ts'
import { CodeField } from '../../ui/CodeField.tsx'
import { ActivationStepForm } from './ActivationStepForm.tsx'
import { sendActivationCode } from './send-code.ts'
import { useStepMutation } from './use-activation.ts'

type Target = Activation['targets'][number]

/** A code to a contact on file; with several the person chooses. */
export function IdentityStep({ activation, onSkip }: { activation: Activation; onSkip: (() => void) | undefined }) {
  const { t } = useTranslation()
  const { id, proof, targets } = activation
  const [channel, setChannel] = useState(targets[0]?.channel ?? 'mail')
  const [code, setCode] = useState('')
  const prove = useStepMutation()
  const ofCode = refusalMessage(prove.error, 'verification-code.')
  const choose = (next: Target['channel']) => {
    setChannel(next)
    setCode('')
    prove.reset()
  }
  return (
    <ActivationStepForm
      title={t('activation.identity.title')}
      text={t('activation.identity.text')}
      verb={t('activation.next')}
      isReady={code !== ''}
      isBusy={prove.isPending}
      error={ofCode ? undefined : failureText(prove.error)}
      onSubmit={() => prove.mutate(() => call(proveActivationIdentity, { body: { proof, channel, code } }))}
      onSkip={onSkip}
    >
      {(submitted) => (
        <>
          <Targets targets={targets} value={channel} onChange={choose} />
          <CodeField
            key={channel}
            value={code}
            countdown={`activation.${id}.${channel}`}
            error={submitted && code === '' ? t('activation.code-missing') : ofCode}
            onSend={() => sendActivationCode(id, channel)}
            onChange={setCode}
          />
        </>
      )}
    </ActivationStepForm>
  )
}

type TargetsProps = {
  targets: readonly Target[]
  value: Target['channel']
  onChange: (channel: Target['channel']) => void
}

function Targets({ targets, value, onChange }: TargetsProps) {
  const { t } = useTranslation()
  const [only] = targets
  if (!only) return <p className="banner banner-danger">{t('activation.identity.unreachable')}</p>
  if (targets.length === 1) return <p>{t(`activation.identity.to-${only.channel}`, { target: only.masked })}</p>
  return (
    <fieldset className="activation-targets">
      <legend>{t('activation.identity.where')}</legend>
      {targets.map(({ channel, masked }) => (
        <label key={channel}>
          <input
            type="radio"
            name="channel"
            value={channel}
            checked={channel === value}
            onChange={() => onChange(channel)}
          />
          {t(`activation.identity.to-${channel}`, { target: masked })}
        </label>
      ))}
    </fieldset>
  )
}
