import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { approveSyncRun, type SyncRun } from '#shared/contract/directory-syncs.ts'
import { call } from '../../platform/api.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { refreshSyncs } from './sync-queries.ts'

/** Lets the plan through that was looked at, with a reason that stays with the run. */
export function ApproveDialog({ run, onClose }: { run: SyncRun; onClose: () => void }) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const approve = async () => {
    await call(approveSyncRun, { query: { id: run.id }, body: { reason } })
    await refreshSyncs()
  }
  return (
    <FormDialog
      title={t('directory-sync.approve-title')}
      verb={t('directory-sync.approve')}
      isDirty={reason !== ''}
      onSubmit={approve}
      onClose={onClose}
    >
      <p>{t('directory-sync.approve-text')}</p>
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
