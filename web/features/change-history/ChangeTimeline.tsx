import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Change, listChanges, personChanges } from '#shared/contract/change-history.ts'
import { call } from '../../platform/api.ts'
import { Waiting } from '../../ui/PageSkeleton.tsx'
import { FailedBlock, StateBlock } from '../../ui/StateBlock.tsx'
import { ChangeItem } from './ChangeItem.tsx'
import { RollBackDialog, type Wanted } from './RollBackDialog.tsx'
import './change-history.css'

export const CHANGES_KEY = 'changes'

/** `targetKind` and `targetId`, a period; or one person. */
export type Which = { filter: Record<string, string> } | { userId: string }

const load = (which: Which, cursor: string | undefined, signal: AbortSignal) => {
  const page = cursor ? { cursor } : {}
  return 'userId' in which
    ? call(personChanges, { query: { userId: which.userId, ...page } }, { signal })
    : call(listChanges, { query: { ...which.filter, ...page } }, { signal })
}

/** Has nothing been done to the same target above? */
const isFirstOf = (changes: readonly Change[], at: number): boolean =>
  changes.findIndex((one) => one.targetKind === changes[at]?.targetKind && one.targetId === changes[at]?.targetId) ===
  at

/** Changes, the latest first; more on request. @param showsTarget false where all are of one thing. */
export function ChangeTimeline({ which, showsTarget }: { which: Which; showsTarget: boolean }) {
  const { t } = useTranslation()
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const list = useInfiniteQuery({
    queryKey: [CHANGES_KEY, which],
    queryFn: ({ pageParam, signal }) => load(which, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  if (list.isPending) return <Waiting lines={4} />
  if (list.isError) return <FailedBlock error={list.error} onRetry={() => void list.refetch()} />
  const changes: Change[] = list.data.pages.flatMap(({ records }) => records)
  if (changes.length === 0) {
    return <StateBlock title={t('change-history.empty.title')} text={t('change-history.empty.text')} />
  }
  return (
    <>
      <ol className="changes" aria-label={t('change-history.title')}>
        {changes.map((change, at) => (
          <ChangeItem
            key={change.id}
            change={change}
            showsTarget={showsTarget}
            isLatest={!('filter' in which && which.filter['to']) && isFirstOf(changes, at)}
            onRollBack={(side) => setWanted({ change, side })}
          />
        ))}
      </ol>
      {list.hasNextPage && (
        <button
          type="button"
          className="button changes-more"
          aria-disabled={list.isFetchingNextPage || undefined}
          onClick={() => void list.fetchNextPage()}
        >
          {t('change-history.more')}
        </button>
      )}
      {wanted && <RollBackDialog wanted={wanted} onClose={() => setWanted(null)} />}
    </>
  )
}
