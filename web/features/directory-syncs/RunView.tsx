import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SYNC_OUTCOMES, SYNC_UNDO_OUTCOMES } from '#shared/contract/sync-runs.ts'
import { areRowsForgotten, isUndoable } from '#shared/rules/undoable-run.ts'
import { useCount } from '../../platform/format-number.ts'
import { formatDuration } from '../../platform/format-time.ts'
import { notify } from '../../platform/notices.ts'
import { serverNow } from '../../platform/server-clock.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Time } from '../../ui/Time.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'
import { RunProgress } from './RunProgress.tsx'
import { RunRows } from './RunRows.tsx'
import { isUnderWay, isWaiting, RunState } from './RunState.tsx'
import type { RunCalls } from './run-calls.ts'
import type { ShownRun } from './shown-run.types.ts'
import { refreshSyncs } from './sync-queries.ts'
import { useFieldLabel } from './use-field-label.ts'

type RunProps = { run: ShownRun; calls: RunCalls }

/** A run: its state, why it waits, and what it would do or did to whom. */
export function RunView({ run, calls }: RunProps) {
  const { t } = useTranslation()
  const number = useCount()
  const { state, counts, undo, heldFor, problem, startedBy } = run
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
        <Reasoned of="decided" name={run.decidedBy} reason={run.reason} />
        <Reasoned of="undone" name={run.undoneBy} reason={run.undoReason} />
      </p>
      <RunTimes run={run} />
      <RunProgress run={run} />
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
      {isUndoable(run) && <UndoButton run={run} onClick={() => setUndoing(true)} />}
      {isUndoing && (
        <ReasonDialog
          title={t('directory-sync.undo-title')}
          verb={t('directory-sync.undo')}
          text={t(calls.undoText)}
          onConfirm={startUndo}
          onClose={() => setUndoing(false)}
        />
      )}
      {!isUnderWay(state) && hasRows(run) && <RunRows run={run} calls={calls} />}
    </div>
  )
}

function UndoButton({ run, onClick }: { run: ShownRun; onClick: () => void }) {
  const { t } = useTranslation()
  if (areRowsForgotten(run, serverNow())) return <p className="muted">{t('errors.directory-sync.forgotten')}</p>
  return (
    <button type="button" className="button sync-undo" onClick={onClick}>
      {t('directory-sync.undo')}
    </button>
  )
}

/** Who approved or undid a run, and why. */
function Reasoned({ of, name, reason }: { of: 'decided' | 'undone'; name: string | null; reason: string | null }) {
  const { t } = useTranslation()
  return name && reason ? <span className="muted">{t(`directory-sync.${of}-by`, { name, reason })}</span> : null
}

/** When it ran, how much it read, and how long it took unless it waited: for a person, or for the run that replaced it. */
function RunTimes({ run: { state, startedAt, finishedAt, decidedBy, undoneBy, rowsRead } }: { run: ShownRun }) {
  const { t, i18n } = useTranslation()
  const number = useCount()
  const isTimed = state === 'done' || state === 'failed' || state === 'cancelled'
  const ms = finishedAt && isTimed && !decidedBy && !undoneBy ? Date.parse(finishedAt) - Date.parse(startedAt) : null
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

function Reasons({ run, calls }: RunProps) {
  const { t } = useTranslation()
  const number = useCount()
  const fieldLabel = useFieldLabel()
  return (
    <ul className={isWaiting(run.state) ? 'sync-reasons' : 'sync-reasons is-past'}>
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
          title={t('directory-sync.discard-title')}
          verb={t('directory-sync.discard')}
          onConfirm={discard}
          onClose={close}
        >
          <p>{t('directory-sync.discard-text')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
