import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { directorySyncs } from '#shared/contract/directory-syncs.ts'
import { call } from '../../platform/api.ts'
import { Time } from '../../ui/Time.tsx'
import { RunState } from './RunState.tsx'
import { SYNCS_KEY } from './sync-queries.ts'
import { useSources } from './use-source-look.ts'

const KINDS: readonly string[] = ['wecom', 'dingtalk']

/** The other direction: directory syncs that read the address book of a vendor. */
export function ReadBooks() {
  const { t } = useTranslation()
  const books = useSources().filter(({ kind }) => KINDS.includes(kind))
  const { data } = useQuery({
    queryKey: [SYNCS_KEY, 'directory', 'all'],
    queryFn: ({ signal }) => call(directorySyncs.list, { query: { pageSize: 100 } }, { signal }),
  })
  const syncs = data?.records.filter(({ sourceId }) => books.some(({ id }) => id === sourceId)) ?? []
  return (
    <section className="card sync-read-books" aria-labelledby="read-books">
      <h2 id="read-books">{t('book-sync.read-title')}</h2>
      <p className="muted">
        {t('book-sync.read-explain')} <Link to="/manage/external-data-source">{t('data-source.title')}</Link>
      </p>
      {syncs.length > 0 && (
        <ul>
          {syncs.map(({ id, name, sourceName, lastRun, nextRunAt }) => (
            <li key={id} className="sync-line">
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
          ))}
        </ul>
      )}
    </section>
  )
}
