import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type OfferedMethod,
  type ReauthenticationMethod,
  submitReauthentication,
} from '#shared/contract/reauthentication.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import type { ReauthenticationRequest } from '../../platform/reauthentication.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { SubmitDialog } from '../../ui/SubmitDialog.tsx'
import { MethodChoice } from './MethodChoice.tsx'
import { METHOD_FIELDS } from './MethodFields.tsx'
import './reauthentication.css'

/** Reauthenticates before a sensitive action; shown over any open dialog. */
export function ReauthenticationDialog({ question }: { question: ReauthenticationRequest }) {
  const { t } = useTranslation()
  const [first] = question.methods
  const [method, setMethod] = useState<ReauthenticationMethod | undefined>(first?.method)
  const [choosing, setChoosing] = useState(false)
  const offered = question.methods.find((known) => known.method === method)
  const close = () => question.settle(false)
  const choose = (next: ReauthenticationMethod) => {
    setMethod(next)
    setChoosing(false)
  }
  if (choosing) {
    return <MethodChoice methods={question.methods} current={method} onChoose={choose} onClose={close} />
  }
  if (offered) {
    return (
      <ReauthenticationForm
        key={offered.method}
        offered={offered}
        onOther={question.methods.length > 1 ? () => setChoosing(true) : undefined}
        onDone={() => question.settle(true)}
        onClose={close}
      />
    )
  }
  return (
    <Dialog title={t('reauthentication.title')} onClose={close}>
      <p>{t('reauthentication.no-method')}</p>
    </Dialog>
  )
}

type FormProps = {
  offered: OfferedMethod
  onOther: (() => void) | undefined
  onDone: () => void
  onClose: () => void
}

function ReauthenticationForm({ offered, onOther, onDone, onClose }: FormProps) {
  const { t } = useTranslation()
  const [answer, setAnswer] = useState('')
  const { method, hint } = offered
  const submission = useMutation({
    mutationFn: (given: string) => call(submitReauthentication, { body: { method, answer: given } }),
    onSuccess: onDone,
  })
  const { Input } = METHOD_FIELDS[method]
  const submit = (given: string) => {
    if (given !== '' && !submission.isPending) submission.mutate(given)
  }
  return (
    <SubmitDialog
      title={t('reauthentication.title')}
      verb={t('reauthentication.confirm')}
      isReady={answer !== ''}
      isBusy={submission.isPending}
      error={submission.error}
      told
      onSubmit={() => submit(answer)}
      onClose={onClose}
      aside={
        onOther && (
          <button type="button" className="button button-quiet reauthentication-other" onClick={onOther}>
            {t('reauthentication.other')}
          </button>
        )
      }
    >
      {(submitted) => (
        <>
          <p className="muted">{t('reauthentication.why')}</p>
          <Input
            method={method}
            hint={hint}
            value={answer}
            error={submitted && answer === '' ? t('reauthentication.missing') : failureText(submission.error)}
            onChange={setAnswer}
            onAnswer={submit}
          />
        </>
      )}
    </SubmitDialog>
  )
}
