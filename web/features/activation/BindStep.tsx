import { useContext, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bindActivationMailbox, bindActivationPhone } from '#shared/contract/activation.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { refusalMessage } from '../../platform/refusal.ts'
import { CodeField } from '../../ui/CodeField.tsx'
import { Field } from '../../ui/Field.tsx'
import { ActivationStepForm } from './ActivationStepForm.tsx'
import { ActivationContext } from './activation-context.ts'
import type { StepProps } from './activation-step.types.ts'
import { sendActivationCode } from './send-code.ts'
import { useStepMutation } from './use-activation.ts'

const INPUTS = {
  phone: { type: 'tel', autoComplete: 'tel', inputMode: 'tel', maxLength: 40 },
  mailbox: { type: 'email', autoComplete: 'email', inputMode: 'email', maxLength: 254 },
} as const

type Props = StepProps & { kind: keyof typeof INPUTS }

/** Binds a phone or email address: the address, then the code sent to it. */
export function BindStep({ kind, activation, onTaken, onSkip, onBack }: Props) {
  const { t } = useTranslation()
  const { id, proof } = activation
  const [typed, setTyped] = useDraft(kind)
  const [code, setCode] = useState('')
  /** A code was requested for an empty or invalid address. */
  const [notSent, setNotSent] = useState<string>()
  const bind = useStepMutation({ onDone: onTaken })
  const ofTarget = refusalMessage(bind.error, 'activation.no-', `activation.${kind}-taken`)
  const ofCode = refusalMessage(bind.error, 'verification-code.')
  const isMissing = typed.trim() === ''
  const send = async () => {
    setNotSent(isMissing ? t('form.required') : undefined)
    if (isMissing) return null
    try {
      return await sendActivationCode(id, kind === 'phone' ? 'sms' : 'mail', typed)
    } catch (error) {
      const refusal = refusalMessage(error, 'activation.no-')
      if (!refusal) throw error
      setNotSent(refusal)
      return null
    }
  }
  const make = () =>
    kind === 'phone'
      ? call(bindActivationPhone, { body: { proof, phone: typed, code } })
      : call(bindActivationMailbox, { body: { proof, mailbox: typed, code } })
  return (
    <ActivationStepForm
      title={t(`activation.${kind}.title`)}
      text={t(`activation.${kind}.text`)}
      verb={t('activation.bind')}
      isReady={!isMissing && code !== ''}
      isBusy={bind.isPending}
      error={ofTarget || ofCode ? undefined : failureText(bind.error)}
      onSubmit={() => bind.mutate(make)}
      onSkip={onSkip}
      onBack={onBack}
    >
      {(submitted) => (
        <>
          <Field
            label={t(`activation.field.${kind}`)}
            error={submitted && isMissing ? t('form.required') : (notSent ?? ofTarget)}
          >
            {(aria) => (
              <input
                {...aria}
                {...INPUTS[kind]}
                className="input"
                required
                autoCapitalize="off"
                spellCheck={false}
                value={typed}
                onChange={({ target }) => {
                  setTyped(target.value)
                  setNotSent(undefined)
                  bind.reset()
                }}
              />
            )}
          </Field>
          <CodeField
            value={code}
            countdown={`activation.${id}.${kind}.${typed.trim().slice(-4)}`}
            error={submitted && code === '' ? t('activation.code-missing') : ofCode}
            onSend={send}
            onChange={setCode}
          />
        </>
      )}
    </ActivationStepForm>
  )
}

function useDraft(kind: Props['kind']) {
  const { drafts } = useContext(ActivationContext)
  const [typed, setTyped] = useState(drafts.current[kind])
  const change = (next: string) => {
    drafts.current[kind] = next
    setTyped(next)
  }
  return [typed, change] as const
}
