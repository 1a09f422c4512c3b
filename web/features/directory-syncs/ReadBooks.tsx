import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type DirectorySync, directorySyncs } from '#shared/contract/directory-syncs.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Time } from '../../ui/Time.tsx'
import { RunState } from './RunState.tsx'
import { SYNCS_KEY } from './sync-queries.ts'
import { sourcesQuery } from './use-source-look.ts'

const KINDS: readonly string[] = ['wecom', 'dingtalk']

/** As many as a list gives at once. */
const MAX_SYNCS = 1000

/** The other direction: directory syncs that read the address book of a vendor. */
export function ReadBooks() {
  const { t } = useTranslation()
  return (
    <section className="card sync-read-books" aria-labelledby="read-books">
      <h2 id="read-books">{t('book-sync.read-title')}</h2>
      <p className="muted">
        {t('book-sync.read-explain')}{' '}
        <Link to="/manage/external-data-source" className="sync-read-link">
          {t('data-source.title')}
        </Link>
      </p>
      <Reading />
    </section>
  )
}

function Reading() {
  const { t } = useTranslation()
  const number = useCount()
  const sources = useQuery(sourcesQuery)
  const all = useQuery({
    queryKey: [SYNCS_KEY, 'directory', 'all'],
    queryFn: ({ signal }) => call(directorySyncs.list, { query: { pageSize: MAX_SYNCS } }, { signal }),
  })
  const failed = [sources, all].find(({ isError, data }) => isError && !data)
  if (failed) {
    const retry = () => {
      if (sources.isError) void sources.refetch()
      if (all.isError) void all.refetch()
    }
    return <FailedBlock error={failed.error} onRetry={retry} />
  }
  if (!sources.data || !all.data) return <Skeleton lines={2} />
  const books = new Set(sources.data.records.filter(({ kind }) => KINDS.includes(kind)).map(({ id }) => id))
  const syncs = all.data.records.filter(({ sourceId }) => books.has(sourceId))
  return (
    <>
      {syncs.length === 0 && <p>{t('book-sync.read-none')}</p>}
      {syncs.length > 0 && (
        <ul>
          {syncs.map((sync) => (
            <ReadingSync key={sync.id} sync={sync} />
          ))}
        </ul>
      )}
      {all.data.total > all.data.records.length && (
        <p className="muted">{t('book-sync.read-more', { count: number(MAX_SYNCS) })}</p>
      )}
    </>
  )
}

function ReadingSync({ sync: { id, name, sourceName, lastRun, nextRunAt } }: { sync: DirectorySync }) {
  const { t } = useTranslation()
  return (
    <li className="sync-line">
      <Link to="/manage/org-sync-detail" search={{ sync: id } as never}>
        {name}
      </Link>
      <span className="muted">{sourceName}</span>
      {lastRun ? (
        <>
          <RunState state={lastRun.state} />
          <Time value={lastRun.startedAt} />
        </>
      ) : (
        <span className="muted">{t('directory-sync.never')}</span>
      )}
      {nextRunAt && (
        <span className="muted">
          {t('directory-sync.next-at')}: <Time value={nextRunAt} />
        </span>
      )}
    </li>
  )
}
