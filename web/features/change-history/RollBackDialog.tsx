import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Change, previewRollback, rollBack } from '#shared/contract/change-history.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { isRefusal, Refusal } from '../../platform/refusal.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { changeTexts, kindLabel, targetLabel } from './change-text.ts'
import { Difference } from './Difference.tsx'

export type RollbackRequest = { change: Change; side: 'before' | 'after' }

/** Previews a rollback, asks for the reason, and performs it. */
export function RollBackDialog({
  wanted: { change, side },
  onClose,
}: {
  wanted: RollbackRequest
  onClose: () => void
}) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const place = { id: change.id, at: change.at, side }
  const preview = useQuery({
    queryKey: ['change-preview', place],
    queryFn: ({ signal }) => call(previewRollback, { query: place }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
  const submit = async () => {
    // Never roll back without a preview, and say so.
    if (!preview.data) throw new Refusal(409, 'change.not-shown', t('change-history.roll-back.wait'))
    const body = { at: change.at, side, version: preview.data.version, reason }
    try {
      const { changed } = await call(rollBack, { query: { id: change.id }, body })
      notify(changed ? 'well' : 'plain', t(changed ? 'change-history.rolled-back' : 'change-history.nothing-changed'))
    } catch (error) {
      // Somebody changed it in the meantime: show the new preview.
      if (isRefusal(error, 'version.conflict')) await preview.refetch()
      throw error
    }
    await queryClient.invalidateQueries()
  }
  return (
    <FormDialog
      title={t('change-history.roll-back.title', { kind: kindLabel(change.targetKind), name: targetLabel(change) })}
      verb={t('change-history.roll-back.verb')}
      isDanger
      size="wide"
      isDirty={reason !== ''}
      onSubmit={submit}
      onClose={onClose}
    >
      {preview.isPending && <Skeleton lines={4} />}
      {preview.isError && <FailedBlock error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.data && (
        <div className="roll-back">
          <p>{t('change-history.roll-back.text')}</p>
          <Difference
            change={{ ...change, before: preview.data.current, after: preview.data.wanted }}
            titles={{ before: t('diff.now'), after: t('diff.then') }}
          />
          {(['change-history.missing', 'change-history.missing-by-file'] as const).map((reason) => (
            <LeftOut
              key={reason}
              reason={t(reason)}
              lines={preview.data.missing
                .filter(({ isSetByFile = false }) => isSetByFile === (reason === 'change-history.missing-by-file'))
                .map(({ field, value }) => `${changeTexts(change).labelOf([field])}: ${value}`)}
            />
          ))}
          <TextField
            label={t('change-history.reason')}
            name="reason"
            value={reason}
            onChange={setReason}
            maxLength={500}
          />
        </div>
      )}
    </FormDialog>
  )
}

/** What can't be restored, and why. */
function LeftOut({ reason, lines }: { reason: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <div className="banner banner-danger" role="note">
      <p>{reason}</p>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  )
}
