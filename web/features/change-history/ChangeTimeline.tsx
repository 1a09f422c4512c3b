import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Change, listChanges, personChanges } from '#shared/contract/change-history.ts'
import { call } from '../../platform/api.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock, StateBlock } from '../../ui/StateBlock.tsx'
import { Time } from '../../ui/Time.tsx'
import { ChangeItem } from './ChangeItem.tsx'
import { actionLabel } from './change-text.ts'
import { RollBackDialog, type RollbackRequest } from './RollBackDialog.tsx'
import './change-history.css'

export const CHANGES_KEY = 'changes'

/** `targetKind` and `targetId`, a period; or one person. */
export type ChangesQuery = { filter: Record<string, string> } | { userId: string }

const fetchChanges = (which: ChangesQuery, cursor: string | undefined, signal: AbortSignal) => {
  const page = cursor ? { cursor } : {}
  return 'userId' in which
    ? call(personChanges, { query: { userId: which.userId, ...page } }, { signal })
    : call(listChanges, { query: { ...which.filter, ...page } }, { signal })
}

/** Is this the latest change of its target? */
const isLatestOfTarget = (changes: readonly Change[], at: number): boolean =>
  changes.findIndex((one) => one.targetKind === changes[at]?.targetKind && one.targetId === changes[at]?.targetId) ===
  at

const isSearch = (which: ChangesQuery): boolean =>
  'filter' in which && Boolean(which.filter['search'] || which.filter['by'])

/** The individual changes of one bootstrap run. */
function FoldedChanges({ change, filter }: { change: Change; filter: Record<string, string> }) {
  const after = new Date(Date.parse(change.at) + 1).toISOString()
  const from = change.folded?.firstAt ?? change.at
  return <ChangeTimeline which={{ filter: { ...filter, from, to: after, unfolded: '1' } }} showsTarget isFolded />
}

type Props = {
  which: ChangesQuery
  /** False where all concern one target. */
  showsTarget: boolean
  /** Nested below a bootstrap record. */
  isFolded?: boolean
}

function useChanges(which: ChangesQuery) {
  return useInfiniteQuery({
    queryKey: [CHANGES_KEY, which],
    queryFn: ({ pageParam, signal }) => fetchChanges(which, pageParam, signal),
    // Much of what other pages do is in it.
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

/** Changes, newest first, with a button for more. */
export function ChangeTimeline(props: Props) {
  const { t } = useTranslation()
  const list = useChanges(props.which)
  const count = list.data?.pages.flatMap(({ records }) => records).length
  return (
    <>
      {/* A live region must stay mounted while the list reloads. */}
      <p className="visually-hidden" role="status">
        {count !== undefined && t('change-history.shown', { count })}
      </p>
      <Timeline
        {...props}
        list={list}
        label={props.isFolded ? actionLabel('bootstrap.apply') : t('change-history.title')}
      />
    </>
  )
}

/** After loading more, focuses the first new change: the button may be gone. */
function useFocusAfterLoad(pages: number | undefined) {
  const items = useRef<HTMLOListElement>(null)
  /** Index of the first newly requested change. */
  const focusIndex = useRef<number | null>(null)
  useEffect(() => {
    if (!pages || focusIndex.current === null) return
    items.current?.children[focusIndex.current]?.querySelector('button')?.focus()
    focusIndex.current = null
  }, [pages])
  return { items, awaited: focusIndex }
}

type TimelineProps = Props & { list: ReturnType<typeof useChanges>; label: string }

function Timeline({ which, showsTarget, isFolded = false, list, label }: TimelineProps) {
  const { t } = useTranslation()
  const [wanted, setWanted] = useState<RollbackRequest | null>(null)
  const { items, awaited } = useFocusAfterLoad(list.data?.pages.length)
  if (list.isPending) return <Skeleton lines={4} />
  if (list.isError) return <FailedBlock error={list.error} onRetry={() => void list.refetch()} />
  const changes: Change[] = list.data.pages.flatMap(({ records }) => records)
  const searchedBackTo = isSearch(which) ? list.data.pages.at(-1)?.searchedBackTo : null
  if (changes.length === 0 && !searchedBackTo) {
    if (isSearch(which)) return <StateBlock title={t('list.empty-filtered')} />
    return <StateBlock title={t('change-history.empty.title')} text={t('change-history.empty.text')} />
  }
  return (
    <>
      <ol ref={items} className="changes" aria-label={label}>
        {changes.map((change, at) => (
          <ChangeItem
            key={change.id}
            change={change}
            showsTarget={showsTarget}
            isFolded={isFolded}
            isLatest={!('filter' in which && which.filter['to']) && isLatestOfTarget(changes, at)}
            folded={change.folded && 'filter' in which && <FoldedChanges change={change} filter={which.filter} />}
            onRollBack={(side) => setWanted({ change, side })}
          />
        ))}
      </ol>
      {searchedBackTo && (
        <p className="muted" role="status">
          {t('change-history.searched-back-to')} <Time value={searchedBackTo} />
        </p>
      )}
      {list.hasNextPage && (
        <button
          type="button"
          className="button changes-more"
          aria-disabled={list.isFetchingNextPage || undefined}
          onClick={() => {
            awaited.current = changes.length
            void list.fetchNextPage()
          }}
        >
          {t(searchedBackTo ? 'change-history.search-on' : 'change-history.more')}
        </button>
      )}
      {wanted && <RollBackDialog wanted={wanted} onClose={() => setWanted(null)} />}
    </>
  )
}
