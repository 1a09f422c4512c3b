import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  SYNC_OUTCOMES,
  SYNC_UNDO_OUTCOMES,
  type SyncOutcome,
  type SyncRow,
  type SyncRun,
  type SyncRunBase,
} from '#shared/contract/directory-syncs.ts'
import { isUndoable, WRITTEN_OUTCOMES } from '#shared/rules/undoable-run.ts'
import { useCount } from '../../platform/format-number.ts'
import { formatDuration } from '../../platform/format-time.ts'
import { notify } from '../../platform/notices.ts'
import { ChangedFields } from '../../ui/ChangedFields.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Time } from '../../ui/Time.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'
import { isUnderWay, isWaiting, RunState } from './RunState.tsx'
import type { RunCalls } from './run-calls.ts'
import { refreshSyncs, SYNCS_KEY } from './sync-queries.ts'
import { useFieldLabel } from './use-field-label.ts'

/** Directory syncs show more about a run than address book syncs. */
export type ShownRun = SyncRunBase & Partial<Pick<SyncRun, 'mode' | 'isComplete' | 'objects'>>
type RunProps = { run: ShownRun; calls: RunCalls }

/** A run: its state, why it waits, and what it would do or did to whom. */
export function RunView({ run, calls }: RunProps) {
  const { t } = useTranslation()
  const number = useCount()
  const { state, counts, undo, heldFor, problem, reason, startedBy, decidedBy } = run
  const [isUndoing, setUndoing] = useState(false)
  const startUndo = async (why: string) => {
    await calls.undo(run.id, why)
    notify('well', t('directory-sync.undo-started'))
  }
  return (
    <div className="card sync-run">
      <p className="sync-line" role="status">
        <RunState state={state} />
        <span className="muted">
          {startedBy ? t('directory-sync.started-by', { name: startedBy }) : t('directory-sync.by-clock')}
        </span>
        {decidedBy && reason && (
          <span className="muted">{t('directory-sync.decided-by', { name: decidedBy, reason })}</span>
        )}
      </p>
      <RunTimes run={run} />
      {problem && (
        <p className={state === 'failed' ? 'banner banner-danger' : 'banner'}>
          <Icon name="warning" /> {problem}
        </p>
      )}
      {heldFor.length > 0 && <Reasons run={run} calls={calls} />}
      {run.mode === 'incremental' && <p className="muted">{t('directory-sync.incremental')}</p>}
      {run.isComplete === false && run.mode === 'full' && state !== 'failed' && (
        <p className="caution-note">{t('directory-sync.incomplete')}</p>
      )}
      {isWaiting(state) && <Decision run={run} calls={calls} />}
      <dl className="sync-counts">
        {SYNC_OUTCOMES.filter((outcome) => counts[outcome]).map((outcome) => (
          <div key={outcome}>
            <dt>{t(`directory-sync.outcome.${outcome}`)}</dt>
            <dd>{number(counts[outcome] ?? 0)}</dd>
          </div>
        ))}
        {SYNC_UNDO_OUTCOMES.filter((outcome) => undo?.[outcome]).map((outcome) => (
          <div key={outcome}>
            <dt>{t(`directory-sync.undone.${outcome}`)}</dt>
            <dd>{number(undo?.[outcome] ?? 0)}</dd>
          </div>
        ))}
      </dl>
      {isUndoable(run) && (
        <button type="button" className="button sync-undo" onClick={() => setUndoing(true)}>
          {t('directory-sync.undo')}
        </button>
      )}
      {isUndoing && (
        <ReasonDialog
          title={t('directory-sync.undo-title')}
          verb={t('directory-sync.undo')}
          text={t(calls.undoText)}
          onConfirm={startUndo}
          onClose={() => setUndoing(false)}
        />
      )}
      {!isUnderWay(state) && hasRows(run) && <Rows run={run} calls={calls} />}
    </div>
  )
}

/** When it ran, how much it read, and how long it took unless it waited: for a person, or for the run that replaced it. */
function RunTimes({ run: { state, startedAt, finishedAt, decidedBy, rowsRead } }: { run: ShownRun }) {
  const { t, i18n } = useTranslation()
  const number = useCount()
  const isTimed = state === 'done' || state === 'failed' || state === 'cancelled'
  const ms = finishedAt && isTimed && !decidedBy ? Date.parse(finishedAt) - Date.parse(startedAt) : null
  return (
    <p className="sync-line muted">
      <span>
        <Time value={startedAt} />
        {finishedAt && (
          <>
            {' – '}
            <Time value={finishedAt} />
          </>
        )}
      </span>
      {ms !== null && <span>{t('directory-sync.took', { time: formatDuration(ms, i18n.language) })}</span>}
      {rowsRead > 0 && <span>{t('directory-sync.rows-read', { count: number(rowsRead) })}</span>}
    </p>
  )
}

/** A run that failed while reading has no rows. */
const hasRows = ({ state, counts }: ShownRun): boolean => state !== 'failed' || Object.keys(counts).length > 0

/** Should an ended run have written this row, but didn't? */
const isUnwritten = ({ state }: ShownRun, { outcome, isApplied }: SyncRow): boolean =>
  (state === 'failed' || state === 'cancelled') && outcome !== null && WRITTEN_OUTCOMES.includes(outcome) && !isApplied

function Reasons({ run, calls }: RunProps) {
  const { t } = useTranslation()
  const number = useCount()
  const fieldLabel = useFieldLabel()
  return (
    <ul className="sync-reasons">
      {run.heldFor.map(({ kind, field, count, of, threshold }) => (
        <li key={`${kind} ${field}`}>
          <Icon name="warning" />{' '}
          {t(calls.heldKey(kind, run.objects), {
            count,
            shown: number(count),
            of: number(of),
            threshold: threshold ?? 0,
            field: field === null ? '' : fieldLabel(field, run.objects === 'departments'),
          })}
        </li>
      ))}
    </ul>
  )
}

function Decision({ run, calls }: RunProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<'approve' | 'discard' | null>(null)
  const { approve } = calls
  const close = () => setOpen(null)
  const discard = async () => {
    await calls.discard(run.id)
    await refreshSyncs()
    notify('well', t('directory-sync.discarded'))
  }
  return (
    <div className="sync-decision">
      <p>{t('directory-sync.nothing-written')}</p>
      {approve && (
        <button type="button" className="button button-primary" onClick={() => setOpen('approve')}>
          {t('directory-sync.approve')}
        </button>
      )}
      <button type="button" className="button" onClick={() => setOpen('discard')}>
        {t('directory-sync.discard')}
      </button>
      {approve && open === 'approve' && (
        <ReasonDialog
          title={t('directory-sync.approve-title')}
          verb={t('directory-sync.approve')}
          text={t(calls.approveText)}
          onConfirm={(reason) => approve(run.id, reason)}
          onClose={close}
        />
      )}
      {open === 'discard' && (
        <ConfirmDialog
          title={t('directory-sync.discard')}
          verb={t('directory-sync.discard')}
          onConfirm={discard}
          onClose={close}
        >
          <p>{t('directory-sync.nothing-written')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

const PAGE = 100

function Rows({ run, calls }: RunProps) {
  const { t, i18n } = useTranslation()
  // The last row of each page before: a page is only found from the one before it.
  const [page, setPage] = useState<{ outcome: SyncOutcome | ''; before: number[] }>({ outcome: '', before: [] })
  const { outcome, before } = page
  const after = before.at(-1) ?? 0
  const details = useQuery({
    queryKey: [SYNCS_KEY, 'rows', run.id, run.state, page, i18n.language],
    queryFn: ({ signal }) => calls.rows({ id: run.id, after, ...(outcome && { outcome }) }, signal),
    placeholderData: keepPreviousData,
  })
  const present = SYNC_OUTCOMES.filter((one) => run.counts[one])
  const rows = details.data
  if (details.isError) return <FailedBlock error={details.error} onRetry={() => void details.refetch()} />
  return (
    <>
      <SelectField
        label={t('directory-sync.row-outcome')}
        none={t('directory-sync.all')}
        value={outcome}
        options={present.map((value) => ({ value, label: t(`directory-sync.outcome.${value}`) }))}
        onChange={(value) => setPage({ outcome: value, before: [] })}
      />
      {rows ? <RowTable run={run} rows={rows} /> : <Skeleton lines={6} />}
      <div className="sync-verbs">
        {before.length > 0 && (
          <button type="button" className="button" onClick={() => setPage({ outcome, before: before.slice(0, -1) })}>
            {t('directory-sync.row-back')}
          </button>
        )}
        {rows?.length === PAGE && (
          <button
            type="button"
            className="button"
            onClick={() => setPage({ outcome, before: [...before, rows.at(-1)?.row ?? 0] })}
          >
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

function RowTable({ run, rows }: { run: ShownRun; rows: readonly SyncRow[] }) {
  const { t } = useTranslation()
  if (rows.length === 0) return <p className="muted">{t('directory-sync.no-rows')}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse.
    <section className="sync-rows" tabIndex={0} aria-label={t('directory-sync.rows')}>
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
