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
  // A refused decision can't be made any more: its reason is nothing to save.
  const [isRefused, setRefused] = useState(false)
  const confirm = async () => {
    try {
      await onConfirm(reason)
    } catch (error) {
      setRefused(true)
      throw error
    }
    await refreshSyncs()
  }
  return (
    <FormDialog title={title} verb={verb} isDirty={reason !== '' && !isRefused} onSubmit={confirm} onClose={onClose}>
      <p>{text}</p>
      <TextField
        label={t('directory-sync.reason')}
        name="reason"
        value={reason}
        maxLength={500}
        isFirst
        isWide
        onChange={(typed) => {
          setReason(typed)
          setRefused(false)
        }}
      />
    </FormDialog>
  )
}
