import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import {
  type DirectorySync,
  directorySyncs,
  listSyncRuns,
  resetSyncCursor,
  type SyncRun,
  startSync,
  syncRunDetails,
} from '#shared/contract/directory-syncs.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { notify } from '../../platform/notices.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { restoreFocus } from '../../ui/restore-focus.ts'
import { MatchQueue } from './MatchQueue.tsx'
import { SYNC_RUN_CALLS } from './run-calls.ts'
import { SyncRuns } from './SyncRuns.tsx'
import { refreshSyncs } from './sync-queries.ts'
import './directory-syncs.css'

/** The runs of a directory sync: what each would do or did here, and what waits for a decision. */
export function OrgSyncDetailPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { sync: id = '', run: linked } = useSearch({ strict: false }) as { sync?: string; run?: string }
  return (
    <SyncRuns<DirectorySync>
      key={`${id} ${linked}`}
      id={id}
      kind="directory"
      load={(signal) => call(directorySyncs.details, { query: { id } }, { signal })}
      onBack={() => void navigate({ to: '/manage/org-sync' })}
      linked={linked}
      loadRuns={(options) => loadRuns(id, linked, options)}
      callsOf={() => SYNC_RUN_CALLS}
      start={(body) => call(startSync, { query: { id }, body })}
      reportsChanges={({ cursor }) => cursor !== null}
      about={(sync) => (
        <>
          <p className="sync-line">
            <Link to="/manage/org-sync">{t('directory-sync.back')}</Link>
            <Link to="/manage/agency-sync-edit" search={{ sync: sync.id } as never}>
              {t('directory-sync.edit-one', { name: sync.name })}
            </Link>
          </p>
          {sync.cursor !== null && <Cursor sync={sync} />}
        </>
      )}
    >
      {([newest]) => <MatchQueue syncId={id} run={newest ? `${newest.id} ${newest.state}` : ''} />}
    </SyncRuns>
  )
}

type Reading = { signal: AbortSignal; background: boolean }

/** The latest runs, with the linked one behind them if it is older. */
async function loadRuns(syncId: string, linked: string | undefined, options: Reading): Promise<SyncRun[]> {
  const { records } = await call(listSyncRuns, { query: { syncId } }, options)
  if (!linked || records.some(({ id }) => id === linked)) return records
  try {
    const { run } = await call(syncRunDetails, { query: { id: linked } }, options)
    return run.syncId === syncId ? [...records, run] : records
  } catch (error) {
    // It may have been deleted since.
    if (isRefusal(error, 'directory-sync.no-run')) return records
    throw error
  }
}

/** The cursor of the last applied run. */
function Cursor({ sync }: { sync: DirectorySync }) {
  const { t } = useTranslation()
  const reset = useMutation({
    mutationFn: () => call(resetSyncCursor, { query: { id: sync.id }, body: {} }),
    async onSuccess() {
      notify('well', t('directory-sync.cursor-was-reset'))
      await refreshSyncs()
    },
  })
  return (
    <p className="sync-line muted">
      {t('directory-sync.cursor', { column: sync.cursorColumn ?? '', value: sync.cursor ?? '' })}
      <button
        type="button"
        className="button button-quiet"
        aria-disabled={reset.isPending || undefined}
        onClick={({ currentTarget }) => {
          if (reset.isPending) return
          // It disappears together with the cursor.
          restoreFocus(currentTarget)
          reset.mutate()
        }}
      >
        {t('directory-sync.cursor-reset')}
      </button>
      {reset.error && (
        <span className="field-error" role="alert">
          {failureText(reset.error)}
        </span>
      )}
    </p>
  )
}
