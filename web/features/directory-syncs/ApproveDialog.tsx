import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SyncRunBase } from '#shared/contract/directory-syncs.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { RunCalls } from './run-calls.ts'
import { refreshSyncs } from './sync-queries.ts'

type Props = { run: Pick<SyncRunBase, 'id'>; calls: RunCalls; onClose: () => void }

/** Lets the plan through that was looked at, with a reason that stays with the run. */
export function ApproveDialog({ run, calls, onClose }: Props) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const approve = async () => {
    await calls.approve(run.id, reason)
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
      <p>{t(calls.approveText)}</p>
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
