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

type Props = { walk: RecoveryFlow; recovery: Recovery; method: CodeMethod; answered: string | undefined }

/** A code to the chosen phone or email address. */
export function CodeStep({ walk, recovery, method, answered }: Props) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const { id } = recovery
  const gone = answered === undefined ? method : 'questions'
  const prove = useRecoveryCall<CallOutput<typeof proveByCode>>(walk, ({ proof }) =>
    walk.goTo({ step: 'password', method: gone, proof }),
  )
  const chosen = recovery.methods.find((one) => one.method === method) ?? { method, hint: '', channels: [] }
  const ofCode = refusalMessage(prove.error, 'verification-code.')
  const send = () =>
    withCaptcha('verification-code', (solved) =>
      call(method === 'phone' ? sendPhoneCaptcha : sendEmail, {
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
      text={codeDetour(t, chosen) ?? t(`recovery.code.text-${method}`, { target: chosen.hint })}
      verb={t('recovery.next')}
      isReady={code !== ''}
      isBusy={prove.isPending}
      error={ofCode ? undefined : failureText(prove.error)}
      onSubmit={() =>
        prove.mutate(() =>
          call(proveByCode, {
            query: { id },
            body: { method, code, ...(answered !== undefined && { proof: answered }) },
          }),
        )
      }
      onBack={() => walk.goTo(answered === undefined ? { step: 'method' } : { step: 'target', answered })}
    >
      {(submitted) => (
        <>
          <CodeField
            value={code}
            countdown={`recovery.${id}.${method}`}
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
