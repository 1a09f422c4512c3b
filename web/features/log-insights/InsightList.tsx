import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { INSIGHT_KINDS, searchInsights } from '#shared/contract/log-insights.ts'
import { call } from '../../platform/api.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import { ListFilters } from '../../ui/ListFilters.tsx'
import { type Filter, filterNames, sanitizeListState, toListQuery } from '../../ui/list-filter.ts'
import { isFiltered, useListState } from '../../ui/list-state.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock, StateBlock } from '../../ui/StateBlock.tsx'
import { InsightItem } from './InsightItem.tsx'

const REFRESH_MS = 60_000

/** Open insights by default; filters are in the address. */
export function InsightList() {
  const { t } = useTranslation()
  const filters = useFilters()
  const { state: given, change } = useListState(filters.flatMap(filterNames), 'address', 'log')
  const state = sanitizeListState(given, filters)
  const { state: asked = 'open', ...others } = toListQuery(filters, state)
  const query = useInsights({ ...others, ...(asked !== 'all' && { state: asked }) })
  return (
    <div className="insights">
      <ListFilters filters={filters} searchLabel={undefined} state={state} onChange={change} />
      <Found query={query} isFiltered={isFiltered(state)} />
      {query.hasNextPage && (
        <button
          type="button"
          className="button"
          aria-disabled={query.isFetchingNextPage || undefined}
          onClick={() => {
            if (!query.isFetchingNextPage) void query.fetchNextPage()
          }}
        >
          {t('log-insight.more')}
        </button>
      )}
    </div>
  )
}

function useFilters(): Filter[] {
  const { t } = useTranslation()
  return [
    { kind: 'period', label: t('records.time') },
    {
      name: 'kind',
      label: t('log-insight.kind'),
      options: INSIGHT_KINDS.map((value) => ({ value, label: t(`log-insight.kind.${value}`) })),
    },
    {
      name: 'state',
      label: t('log-insight.state'),
      any: t('log-insight.state.open'),
      options: [
        { value: 'dismissed', label: t('log-insight.state.dismissed') },
        { value: 'all', label: t('list.any') },
      ],
    },
  ]
}

function useInsights(listed: Record<string, string>) {
  const { i18n } = useTranslation()
  const key = ['log-insights', listed, i18n.language]
  return useInfiniteQuery({
    queryKey: key,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal, client }) => {
      // The next page is asked for by the person.
      const isKnown = client.getQueryData<InfiniteData<unknown>>(key)?.pageParams.includes(pageParam) ?? false
      const query = { ...listed, after: pageParam } as never
      return call(searchInsights, { query }, { signal, background: isKnown })
    },
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: REFRESH_MS,
  })
}

type FoundProps = { query: ReturnType<typeof useInsights>; isFiltered: boolean }

function Found({ query, isFiltered: isNarrowed }: FoundProps) {
  const { t, i18n } = useTranslation()
  if (query.isError && !query.data) return <FailedBlock error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <Skeleton lines={6} />
  const records = query.data.pages.flatMap((page) => page.records)
  const until = query.data.pages[0]?.lookedUntil
  const looked = until
    ? t('log-insight.looked-until', { time: formatDateTime(new Date(until), i18n.language) })
    : t('log-insight.not-looked')
  return (
    <>
      <p className="muted" role="status">
        {query.isError ? t('network.unreachable') : looked}
      </p>
      {records.length === 0 ? (
        <StateBlock
          title={t(isNarrowed ? 'log-insight.none-here' : 'log-insight.none')}
          text={isNarrowed ? undefined : t('log-insight.none.text')}
        />
      ) : (
        <ul className="insight-list">
          {records.map((one) => (
            <InsightItem key={one.id} insight={one} />
          ))}
        </ul>
      )}
    </>
  )
}
