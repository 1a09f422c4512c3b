import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TestResult } from '#shared/contract/message-gateways.ts'
import { failureText } from '../../platform/failure-text.ts'
import { Field } from '../../ui/Field.tsx'

type Props = {
  channel: 'mail' | 'sms'
  /** Sends with the values in the fields; null: they are incomplete. */
  send: ((to: string) => Promise<TestResult>) | null
  /** Marks the missing fields. */
  onUnready: () => void
}

/** Sends a real test message and shows the answer. */
export function GatewayTest({ channel, send, onUnready }: Props) {
  const { t } = useTranslation()
  const [to, setTo] = useState('')
  const [missing, setMissing] = useState(false)
  const test = useMutation({ mutationFn: (call: () => Promise<TestResult>) => call() })
  const start = () => {
    setMissing(to.trim() === '')
    if (!send) return onUnready()
    if (to.trim() !== '' && !test.isPending) test.mutate(() => send(to.trim()))
  }
  return (
    <div className="gateway-test">
      <Field
        label={t(channel === 'mail' ? 'gateway.test-mail-to' : 'gateway.test-sms-to')}
        error={missing && to.trim() === '' ? t('form.required') : undefined}
      >
        {(aria) => (
          <input
            {...aria}
            className="input"
            type={channel === 'mail' ? 'email' : 'tel'}
            autoComplete={channel === 'mail' ? 'email' : 'tel'}
            maxLength={200}
            value={to}
            onChange={(event) => setTo(event.target.value)}
            onKeyDown={(event) => {
              // Enter runs the test instead of completing the step.
              if (event.key !== 'Enter') return
              event.preventDefault()
              start()
            }}
          />
        )}
      </Field>
      <button type="button" className="button" aria-disabled={test.isPending} onClick={start}>
        {t(test.isPending ? 'gateway.testing' : 'gateway.test')}
      </button>
      <div role="status">
        {!test.isPending && test.data && <Result channel={channel} result={test.data} />}
        {!test.isPending && test.isError && <p className="banner banner-danger">{failureText(test.error)}</p>}
      </div>
    </div>
  )
}

function Result({ channel, result }: { channel: Props['channel']; result: TestResult }) {
  const { t } = useTranslation()
  if (result.sent || !result.reason) {
    return <p className="banner">{t(channel === 'mail' ? 'gateway.mail-sent' : 'gateway.sms-sent')}</p>
  }
  return (
    <div className="banner banner-danger">
      <p>{t(`message-reason.${result.reason}`)}</p>
      {result.words && <p className="gateway-words">{t('gateway.words', { words: result.words })}</p>}
    </div>
  )
}
