import { Link, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import {
  type DirectorySync,
  directorySyncs,
  listSyncRuns,
  resetSyncCursor,
  startSync,
} from '#shared/contract/directory-syncs.ts'
import { call } from '../../platform/api.ts'
import { MatchQueue } from './MatchQueue.tsx'
import { SYNC_RUN_CALLS } from './run-calls.ts'
import { SyncRuns } from './SyncRuns.tsx'
import { refreshSyncs } from './sync-queries.ts'
import './directory-syncs.css'

/** The runs of a directory sync: what each would do or did here, and what waits for a decision. */
export function OrgSyncDetailPage() {
  const { t } = useTranslation()
  const { sync: id = '' } = useSearch({ strict: false }) as { sync?: string }
  return (
    <SyncRuns<DirectorySync>
      id={id}
      kind="directory"
      load={(signal) => call(directorySyncs.details, { query: { id } }, { signal })}
      loadRuns={async (options) => (await call(listSyncRuns, { query: { syncId: id } }, options)).records}
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

/** The cursor of the last applied run. */
function Cursor({ sync }: { sync: DirectorySync }) {
  const { t } = useTranslation()
  const reset = async () => {
    await call(resetSyncCursor, { query: { id: sync.id }, body: {} })
    await refreshSyncs()
  }
  return (
    <p className="sync-line muted">
      {t('directory-sync.cursor', { column: sync.cursorColumn ?? '', value: sync.cursor ?? '' })}
      <button type="button" className="button button-quiet" onClick={() => void reset()}>
        {t('directory-sync.cursor-reset')}
      </button>
    </p>
  )
}
