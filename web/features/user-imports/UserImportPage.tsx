import { type ComponentType, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportRun } from '#shared/contract/user-imports.ts'
import { useValues } from '../../ui/list-state.ts'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { type Step, StepList } from '../../ui/StepList.tsx'
import { CheckStep } from './CheckStep.tsx'
import { ColumnsStep } from './ColumnsStep.tsx'
import { FileStep } from './FileStep.tsx'
import { PastImports } from './PastImports.tsx'
import { ResultStep } from './ResultStep.tsx'
import { StepHeading } from './StepHeading.tsx'
import { useImportRun } from './use-import-run.ts'
import './user-imports.css'

type Progress = ComponentType<{
  label: string
  task: { id: string; done: number; total: number; state: string }
  stopLabel?: string
  onStopped?: () => unknown
}>

const STEPS = ['file', 'columns', 'check', 'import', 'result'] as const
type StepName = (typeof STEPS)[number]

const STEP_BY_STATE: Record<ImportRun['state'], StepName> = {
  reading: 'file',
  read: 'columns',
  checking: 'check',
  checked: 'check',
  importing: 'import',
  finished: 'result',
  cancelled: 'result',
  failed: 'result',
  undoing: 'result',
  undone: 'result',
}

/** Imports people from a file, step by step; the address contains the import, so that one can leave and return. */
export function UserImportPage({ progress }: { progress: Progress }) {
  const { t } = useTranslation()
  const [values, setValues] = useValues('address')
  const id = values['run']
  const open = (run: string | undefined) => setValues({ run })
  return (
    <div className="import-page">
      <section className="card import-card" aria-labelledby="page-title">
        <div className="import-title">
          <PageTitle>{t('import.title')}</PageTitle>
          {id && (
            <button type="button" className="button" onClick={() => open(undefined)}>
              {t('import.another')}
            </button>
          )}
        </div>
        {id ? (
          <ActiveImport key={id} id={id} progress={progress} onBack={() => open(undefined)} />
        ) : (
          <NewImport onRun={open} />
        )}
      </section>
      {!id && (
        <section className="card import-card">
          <PastImports onOpen={open} />
        </section>
      )}
    </div>
  )
}

function NewImport({ onRun }: { onRun: (id: string) => void }) {
  return (
    <>
      <ImportSteps at="file" />
      <FileStep onRun={onRun} />
    </>
  )
}

function ActiveImport({ id, progress: Progress, onBack }: { id: string; progress: Progress; onBack: () => void }) {
  const { t } = useTranslation()
  const [isRemapping, setRemapping] = useState(false)
  const query = useImportRun(id)
  const run = query.data
  if (query.isError && !run)
    return <FailedBlock error={query.error} onRetry={() => void query.refetch()} onBack={onBack} />
  if (!run) return <PageSkeleton />
  const at = isRemapping && run.state === 'checked' ? 'columns' : STEP_BY_STATE[run.state]
  const isWorking = run.state === 'checking' || run.state === 'importing' || run.state === 'undoing'
  if (isWorking) {
    return (
      <>
        <ImportSteps at={at} />
        <StepHeading>{t(`import.state.${run.state}`)}</StepHeading>
        <Progress
          label={run.fileName}
          task={run.task ?? { id: '', done: 0, total: run.rowCount, state: 'queued' }}
          stopLabel={t('import.stop')}
          onStopped={() => query.refetch()}
        />
      </>
    )
  }
  return (
    <>
      <ImportSteps at={at} />
      {run.state === 'read' && run.task?.error && <p className="field-error">{run.task.error}</p>}
      {at === 'columns' && <ColumnsStep run={run} onChecking={() => setRemapping(false)} />}
      {at === 'check' && <CheckStep run={run} onColumns={() => setRemapping(true)} />}
      {at === 'result' && <ResultStep run={run} />}
    </>
  )
}

function ImportSteps({ at }: { at: StepName }) {
  const { t } = useTranslation()
  const current = STEPS.indexOf(at)
  const steps = STEPS.map((name, index): Step => {
    const isDone = index < current || (at === 'result' && index === current)
    return { name, label: t(`import.steps.${name}`), state: isDone ? 'done' : index === current ? 'current' : 'open' }
  })
  return <StepList label={t('import.steps')} steps={steps} />
}
