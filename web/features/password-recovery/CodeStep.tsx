import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { proveByCode, type Recovery } from '#shared/contract/password-recovery.ts'
import { sendEmail, sendPhoneCaptcha } from '#shared/contract/verification-codes.ts'
import { type CallOutput, call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { isRefusal, refusalMessage } from '../../platform/refusal.ts'
import { withCaptcha } from '../../platform/with-captcha.ts'
import { CodeField } from '../../ui/CodeField.tsx'
import { codeDetour, codeTitle } from './code-route.ts'
import { RecoveryForm } from './RecoveryForm.tsx'
import { type CodeMethod, type RecoveryFlow, useRecoveryCall } from './use-recovery-flow.ts'

type Props = { walk: RecoveryFlow; recovery: Recovery; way: CodeMethod; answered: string | undefined }

/** A code to the chosen phone or email address. */
export function CodeStep({ walk, recovery, way, answered }: Props) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const { id } = recovery
  const gone = answered === undefined ? way : 'questions'
  const prove = useRecoveryCall<CallOutput<typeof proveByCode>>(walk, ({ proof }) =>
    walk.goTo({ step: 'password', way: gone, proof }),
  )
  const chosen = recovery.ways.find((one) => one.way === way) ?? { way, hint: '', channels: [] }
  const ofCode = refusalMessage(prove.error, 'verification-code.')
  const send = () =>
    withCaptcha('verification-code', (solved) =>
      call(way === 'phone' ? sendPhoneCaptcha : sendEmail, {
        query: { id },
        body: { purpose: 'recovery', ...solved },
      }),
    ).catch((error: unknown) => {
      if (!isRefusal(error, 'password-recovery.expired')) throw error
      walk.startOver(error.message)
      return null
    })
  return (
    <RecoveryForm
      walk={walk}
      title={codeTitle(t, chosen)}
      text={codeDetour(t, chosen) ?? t(`recovery.code.text-${way}`, { target: chosen.hint })}
      verb={t('recovery.next')}
      isReady={code !== ''}
      isBusy={prove.isPending}
      error={ofCode ? undefined : failureText(prove.error)}
      onSubmit={() =>
        prove.mutate(() =>
          call(proveByCode, {
            query: { id },
            body: { way, code, ...(answered !== undefined && { proof: answered }) },
          }),
        )
      }
      onBack={() => walk.goTo(answered === undefined ? { step: 'way' } : { step: 'target', answered })}
    >
      {(submitted) => (
        <>
          <CodeField
            value={code}
            countdown={`recovery.${id}.${way}`}
            error={submitted && code === '' ? t('code.missing') : ofCode}
            onSend={send}
            onChange={(next) => {
              setCode(next)
              if (prove.isError) prove.reset()
            }}
          />
          <p className="muted recovery-note">{t('recovery.code.nothing')}</p>
        </>
      )}
    </RecoveryForm>
  )
}
