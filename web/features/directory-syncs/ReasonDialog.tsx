import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { refreshSyncs } from './sync-queries.ts'

type Props = {
  title: string
  verb: string
  /** The consequence, in words. */
  text: string
  onConfirm: (reason: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for the reason of a decision about a run, which is stored with it. */
export function ReasonDialog({ title, verb, text, onConfirm, onClose }: Props) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const confirm = async () => {
    await onConfirm(reason)
    await refreshSyncs()
  }
  return (
    <FormDialog title={title} verb={verb} isDirty={reason !== ''} onSubmit={confirm} onClose={onClose}>
      <p>{text}</p>
      <TextField
        label={t('directory-sync.reason')}
        name="reason"
        value={reason}
        maxLength={500}
        isFirst
        isWide
        onChange={setReason}
      />
    </FormDialog>
  )
}
