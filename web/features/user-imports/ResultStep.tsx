import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportRun } from '#shared/contract/user-imports.ts'
import { useCount } from '../../platform/format-number.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { tellingConflict } from '../../ui/use-seen-version.ts'
import { ImportCounts } from './ImportCounts.tsx'
import { ReportList } from './ReportList.tsx'
import { StepHeading } from './StepHeading.tsx'
import { useImportStep } from './use-import-run.ts'

const ending = (state: ImportRun['state']) =>
  state === 'undone' || state === 'cancelled' || state === 'failed' ? state : 'finished'

/** The result, with undo. */
export function ResultStep({ run }: { run: ImportRun }) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const step = useImportStep(run)
  const number = useCount()
  const rest = run.counts.new + run.counts.changed + run.counts.accepted - run.counts.written
  const isCut = run.state === 'cancelled' || run.state === 'failed'
  const { undo } = run
  return (
    <>
      <StepHeading>{t(`import.result.${ending(run.state)}`)}</StepHeading>
      {run.state === 'failed' && run.task?.error && <p className="field-error">{run.task.error}</p>}
      <p>
        {undo
          ? t('import.result.undo-counts', {
              undone: number(undo.undone),
              partly: number(undo.partly),
              kept: number(undo.kept),
            })
          : t('import.result.written', { count: run.counts.written, shown: number(run.counts.written) })}
      </p>
      <ImportCounts counts={run.counts} />
      <div className="form-actions">
        {isCut && rest > 0 && (
          <button
            type="button"
            className="button button-primary"
            aria-disabled={step.isPending}
            onClick={() => step.isPending || step.mutate({ name: 'start' })}
          >
            {t('import.go-on', { count: rest, shown: number(rest) })}
          </button>
        )}
        {run.state !== 'undone' && run.counts.written > 0 && (
          <button type="button" className="button button-danger" onClick={() => setAsking(true)}>
            {t('import.undo')}
          </button>
        )}
      </div>
      <ReportList run={run} />
      {isAsking && (
        <ConfirmDialog
          title={t('import.undo.title')}
          verb={t('import.undo')}
          onConfirm={() => tellingConflict(() => step.mutateAsync({ name: 'undo' }))}
          onClose={() => setAsking(false)}
        >
          <p>{t('import.undo.text')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
