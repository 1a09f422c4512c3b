import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SyncRunBase } from '#shared/contract/directory-syncs.ts'
import { notify } from '../../platform/notices.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { RunCalls } from './run-calls.ts'
import { refreshSyncs } from './sync-queries.ts'

type Props = { run: Pick<SyncRunBase, 'id'>; calls: RunCalls; onClose: () => void }

/** Puts back what a run changed, with a reason that stays with the run. */
export function UndoDialog({ run, calls, onClose }: Props) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const undo = async () => {
    await calls.undo(run.id, reason)
    notify('well', t('directory-sync.undo-started'))
    await refreshSyncs()
  }
  return (
    <FormDialog
      title={t('directory-sync.undo-title')}
      verb={t('directory-sync.undo')}
      isDirty={reason !== ''}
      onSubmit={undo}
      onClose={onClose}
    >
      <p>{t(calls.undoText)}</p>
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
