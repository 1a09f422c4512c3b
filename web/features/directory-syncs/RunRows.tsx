import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  SYNC_OUTCOMES,
  SYNC_UNDO_OUTCOMES,
  type SyncOutcome,
  type SyncRow,
  type SyncUndoOutcome,
} from '#shared/contract/sync-runs.ts'
import { WRITTEN_OUTCOMES } from '#shared/rules/undoable-run.ts'
import { ChangedFields } from '../../ui/ChangedFields.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import type { RunCalls } from './run-calls.ts'
import type { ShownRun } from './shown-run.types.ts'
import { SYNCS_KEY } from './sync-queries.ts'
import { useFieldLabel } from './use-field-label.ts'

/** Should an ended run have written this row, but didn't? */
const isUnwritten = ({ state }: ShownRun, { outcome, isApplied }: SyncRow): boolean =>
  (state === 'failed' || state === 'cancelled') && outcome !== null && WRITTEN_OUTCOMES.includes(outcome) && !isApplied

const PAGE = 100

/** An outcome of the run, or of its undo. */
type Filter = { outcome?: SyncOutcome; undo?: SyncUndoOutcome }

function useFilters({ counts, undo }: ShownRun): { value: string; label: string; filter: Filter }[] {
  const { t } = useTranslation()
  return [
    ...SYNC_OUTCOMES.filter((one) => counts[one]).map((outcome) => ({
      ...{ value: outcome, label: t(`directory-sync.outcome.${outcome}`), filter: { outcome } },
    })),
    ...SYNC_UNDO_OUTCOMES.filter((one) => undo?.[one]).map((one) => ({
      ...{ value: `undo ${one}`, label: t(`directory-sync.undone.${one}`), filter: { undo: one } },
    })),
  ]
}

/** The rows of a run, page by page, all or of one outcome. */
export function RunRows({ run, calls }: { run: ShownRun; calls: RunCalls }) {
  const { t, i18n } = useTranslation()
  // The last row of each page before: a page is only found from the one before it.
  const [page, setPage] = useState<{ shown: string; before: number[] }>({ shown: '', before: [] })
  const { shown, before } = page
  const table = useRef<HTMLElement>(null)
  // Whoever turns the page begins at its top; the pressed button may disappear.
  const turn = (pagesBefore: number[]) => {
    setPage({ shown, before: pagesBefore })
    table.current?.focus()
  }
  const filters = useFilters(run)
  const after = before.at(-1) ?? 0
  const details = useQuery({
    queryKey: [SYNCS_KEY, 'rows', run.id, run.state, page, i18n.language],
    queryFn: ({ signal }) =>
      calls.rows({ id: run.id, after, ...filters.find(({ value }) => value === shown)?.filter }, signal),
    placeholderData: keepPreviousData,
  })
  const rows = details.data
  if (details.isError) return <FailedBlock error={details.error} onRetry={() => void details.refetch()} />
  return (
    <>
      <SelectField
        label={t('directory-sync.row-outcome')}
        none={t('directory-sync.all')}
        value={shown}
        options={filters}
        onChange={(value) => setPage({ shown: value, before: [] })}
      />
      {rows ? <RowTable ref={table} run={run} rows={rows} /> : <Skeleton lines={6} />}
      <div className="sync-verbs">
        {before.length > 0 && (
          <button type="button" className="button" onClick={() => turn(before.slice(0, -1))}>
            {t('directory-sync.row-back')}
          </button>
        )}
        {rows?.length === PAGE && (
          <button type="button" className="button" onClick={() => turn([...before, rows.at(-1)?.row ?? 0])}>
            {t('directory-sync.row-more')}
          </button>
        )}
      </div>
    </>
  )
}

function rowLabel({ person, newName, department }: SyncRow): string {
  if (person) return `${person.name} (${person.account})`
  return department ? `${department.name} (${department.code})` : (newName ?? '—')
}

type TableProps = { ref: RefObject<HTMLElement | null>; run: ShownRun; rows: readonly SyncRow[] }

function RowTable({ ref, run, rows }: TableProps) {
  const { t } = useTranslation()
  if (rows.length === 0) return <p className="muted">{t('directory-sync.no-rows')}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse.
    <section ref={ref} className="sync-rows" tabIndex={0} aria-label={t('directory-sync.rows')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('directory-sync.row-key')}</th>
            <th scope="col">{t('directory-sync.row-person')}</th>
            <th scope="col">{t('directory-sync.row-outcome')}</th>
            <th scope="col">{t('directory-sync.row-told')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.row}>
              <th scope="row">{row.externalId || '—'}</th>
              <td>{rowLabel(row)}</td>
              <td>{row.outcome ? t(`directory-sync.outcome.${row.outcome}`) : '—'}</td>
              <td>
                <RowDetails run={run} row={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** What became of a row, its problems, and its changed fields. */
function RowDetails({ run, row }: { run: ShownRun; row: SyncRow }) {
  const { t } = useTranslation()
  const fieldLabel = useFieldLabel()
  return (
    <>
      {[
        ...(row.undo ? [t(`directory-sync.undone.${row.undo}`)] : []),
        ...(isUnwritten(run, row) ? [t('directory-sync.not-written')] : []),
        ...row.problems,
      ].join(t('list.separator'))}
      {row.changes.length > 0 && (
        <ChangedFields changes={row.changes} labelOf={(field) => fieldLabel(field, row.department !== null)} />
      )}
    </>
  )
}
