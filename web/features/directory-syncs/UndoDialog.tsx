import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type SyncRun, undoSyncRun } from '#shared/contract/directory-syncs.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { refreshSyncs } from './sync-queries.ts'

/** Puts back what a run changed, with a reason that stays with the run. */
export function UndoDialog({ run, onClose }: { run: SyncRun; onClose: () => void }) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const undo = async () => {
    await call(undoSyncRun, { query: { id: run.id }, body: { reason } })
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
      <p>{t('directory-sync.undo-text')}</p>
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
