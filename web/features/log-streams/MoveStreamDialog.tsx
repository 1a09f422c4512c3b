import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type LogStream, moveLogStream } from '#shared/contract/log-streams.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { serverNow } from '../../platform/server-clock.ts'
import { DateTimeField } from '../../ui/DateTimeField.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { refreshStreams } from './log-stream-queries.ts'

/** Records are sent again from an earlier time, or skipped up to a later one. */
export function MoveStreamDialog({ stream: { id, name }, onClose }: { stream: LogStream; onClose: () => void }) {
  const { t } = useTranslation()
  const [to, setTo] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const move = async () => {
    await call(moveLogStream, { query: { id }, body: { to: to ?? '', reason } })
    await refreshStreams()
    notify('well', t('log-stream.moved', { name }))
  }
  return (
    <FormDialog
      title={t('log-stream.move-one', { name })}
      verb={t('log-stream.move-verb')}
      isDirty={to !== null || reason !== ''}
      onSubmit={move}
      onClose={onClose}
    >
      <p>{t('log-stream.move-text')}</p>
      <DateTimeField
        label={t('log-stream.move-to')}
        name="to"
        value={to}
        max={new Date(serverNow()).toISOString()}
        onChange={setTo}
      />
      <TextField
        label={t('log-stream.reason')}
        name="reason"
        value={reason}
        maxLength={500}
        isWide
        onChange={setReason}
      />
    </FormDialog>
  )
}
