import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type OfferedProof, type ProofMethodName, proveIdentity } from '#shared/contract/identity-proofs.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import type { ProofRequest } from '../../platform/reauthentication.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { SubmitDialog } from '../../ui/SubmitDialog.tsx'
import { MethodChoice } from './MethodChoice.tsx'
import { METHOD_FIELDS } from './MethodFields.tsx'
import './identity-proof.css'

/** Reauthenticates before a sensitive action; shown over any open dialog. */
export function IdentityProofDialog({ question }: { question: ProofRequest }) {
  const { t } = useTranslation()
  const [first] = question.methods
  const [method, setMethod] = useState<ProofMethodName | undefined>(first?.method)
  const [choosing, setChoosing] = useState(false)
  const offered = question.methods.find((known) => known.method === method)
  const close = () => question.settle(false)
  const choose = (next: ProofMethodName) => {
    setMethod(next)
    setChoosing(false)
  }
  if (choosing) {
    return <MethodChoice methods={question.methods} current={method} onChoose={choose} onClose={close} />
  }
  if (offered) {
    return (
      <ProofForm
        key={offered.method}
        offered={offered}
        onOther={question.methods.length > 1 ? () => setChoosing(true) : undefined}
        onProved={() => question.settle(true)}
        onClose={close}
      />
    )
  }
  return (
    <Dialog title={t('identity-proof.title')} onClose={close}>
      <p>{t('identity-proof.no-way')}</p>
    </Dialog>
  )
}

type ProofFormProps = {
  offered: OfferedProof
  onOther: (() => void) | undefined
  onProved: () => void
  onClose: () => void
}

function ProofForm({ offered, onOther, onProved, onClose }: ProofFormProps) {
  const { t } = useTranslation()
  const [answer, setAnswer] = useState('')
  const { method, hint } = offered
  const prove = useMutation({
    mutationFn: (given: string) => call(proveIdentity, { body: { method, answer: given } }),
    onSuccess: onProved,
  })
  const { Input } = METHOD_FIELDS[method]
  const submit = (given: string) => {
    if (given !== '' && !prove.isPending) prove.mutate(given)
  }
  return (
    <SubmitDialog
      title={t('identity-proof.title')}
      verb={t('identity-proof.confirm')}
      isReady={answer !== ''}
      isBusy={prove.isPending}
      error={prove.error}
      told
      onSubmit={() => submit(answer)}
      onClose={onClose}
      aside={
        onOther && (
          <button type="button" className="button button-quiet proof-other" onClick={onOther}>
            {t('identity-proof.other')}
          </button>
        )
      }
    >
      {(submitted) => (
        <>
          <p className="muted">{t('identity-proof.why')}</p>
          <Input
            method={method}
            hint={hint}
            value={answer}
            error={submitted && answer === '' ? t('identity-proof.missing') : failureText(prove.error)}
            onChange={setAnswer}
            onAnswer={submit}
          />
        </>
      )}
    </SubmitDialog>
  )
}
