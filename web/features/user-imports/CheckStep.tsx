import { useTranslation } from 'react-i18next'
import type { ImportRun } from '#shared/contract/user-imports.ts'
import { failureText } from '../../platform/failure-text.ts'
import { useCount } from '../../platform/format-number.ts'
import { ImportCounts } from './ImportCounts.tsx'
import { DoubtfulRows, ReportList } from './ReportList.tsx'
import { StepHeading } from './StepHeading.tsx'
import { useImportStep } from './use-import-run.ts'

type Props = { run: ImportRun; onColumns: () => void }

/** What the import would do. */
export function CheckStep({ run, onColumns }: Props) {
  const { t } = useTranslation()
  const step = useImportStep(run)
  const good = run.counts.new + run.counts.changed + run.counts.accepted
  const shown = useCount()(good)
  return (
    <>
      <StepHeading>{t('import.step.check')}</StepHeading>
      <p>
        {t(
          good > 0
            ? 'import.check.explain'
            : run.counts.doubtful > 0
              ? 'import.check.doubtful'
              : 'import.check.nothing',
        )}
      </p>
      <ImportCounts counts={run.counts} />
      <div className="form-actions">
        {good > 0 && (
          <button
            type="button"
            className="button button-primary"
            aria-disabled={step.isPending}
            onClick={() => step.isPending || step.mutate({ name: 'start' })}
          >
            {t('import.start', { count: good, shown })}
          </button>
        )}
        <button type="button" className="button" onClick={onColumns}>
          {t('import.back-to-columns')}
        </button>
      </div>
      {step.isError && (
        <p className="field-error" role="alert">
          {failureText(step.error)}
        </p>
      )}
      {run.counts.doubtful > 0 && <DoubtfulRows run={run} />}
      <ReportList run={run} />
    </>
  )
}
