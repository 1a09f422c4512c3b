import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../platform/api.ts'
import { useCount } from '../platform/format-number.ts'
import { formatDateTime } from '../platform/format-time.ts'
import { type BulkAction, BulkBar } from './BulkBar.tsx'
import { filterRefusal } from './filter-refusal.ts'
import { ListDrawer } from './ListDrawer.tsx'
import { ListHead } from './ListHead.tsx'
import { ListTable } from './ListTable.tsx'
import { filterNames, sanitizeListState, toListQuery } from './list-filter.ts'
import type { ListProps, Page } from './list-page.types.ts'
import { type ListState, useListState } from './list-state.ts'
import { Pager } from './Pager.tsx'
import { PAGE_TITLE } from './PageTitle.tsx'
import { FailedBlock } from './StateBlock.tsx'
import { useTableChoices } from './table-choices.ts'
import { useClampedPage, useResetPage } from './use-clamped-page.ts'
import { useSelection } from './use-selection.ts'
import { useThrottled } from './use-throttled.ts'
import './list-page.css'

/** A list page: declares columns and actions, and provides search, filters, paging, sorting and all states. */
export function ListPage<Row extends object>(props: ListProps<Row>) {
  const { embedded = false, drawer, rowKey } = props
  const number = useCount()
  const ownTitleId = useId()
  const titleId = embedded ? ownTitleId : PAGE_TITLE
  const list = useListPage(props)
  const { state, change, page, records } = list
  return (
    <>
      <section className={embedded ? 'list-page list-embedded' : 'card list-page'} aria-labelledby={titleId}>
        <ListHead
          {...props}
          {...list}
          titleId={titleId}
          total={page && number(page.total, page.totalIsLowerBound)}
          onChange={change}
        />
        <ListBody list={list} props={props} />
        {page?.searchedBackTo && <SearchEnd at={page.searchedBackTo} />}
        {page && (
          <Pager
            title={props.title}
            pageIndex={state.pageIndex}
            pageSize={state.pageSize}
            sizes={props.pageSizes}
            total={page.total}
            isLowerBound={page.totalIsLowerBound ?? false}
            isEmbedded={embedded}
            onChange={change}
          />
        )}
      </section>
      {drawer && (
        <ListDrawer
          drawer={drawer}
          rowKey={rowKey}
          open={state.open}
          records={records}
          pageIndex={state.pageIndex}
          pageSize={state.pageSize}
          total={page?.total ?? 0}
          onOpen={list.open}
          onPage={(pageIndex) => change({ pageIndex })}
        />
      )}
      {props.children}
    </>
  )
}

function SearchEnd({ at }: { at: string }) {
  const { t, i18n } = useTranslation()
  return <p className="muted">{t('list.searched-back-to', { time: formatDateTime(new Date(at), i18n.language) })}</p>
}

/** State shared by the parts of a list. */
function useListPage<Row extends object>(props: ListProps<Row>) {
  const { tableKey, columns, rowKey, filters } = props
  const { state: given, change, open } = useListState(filters.flatMap(filterNames), props.place, props.pageSizes)
  const state = sanitizeListState(given, filters, columns)
  const listed = listedBy(props, state)
  const query = useList(props, state, listed)
  const choices = useTableChoices(tableKey)
  const page = choices.isPending ? undefined : query.data
  const records = query.isPlaceholderData ? undefined : page?.records
  useResetPage(props.fixedQuery, change)
  useClampedPage(page, state, change)
  const pageName = JSON.stringify([state.pageIndex, state.pageSize, state.sort])
  const selection = useSelection({ rowKey, listed, pageName, records })
  const { true: shown = [], false: hidden = [] } = Object.groupBy(columns, ({ key, isExtra = false }) =>
    String(choices.columns?.includes(key) ?? !isExtra),
  )
  return { state, change, open, listed, query, page, records, selection, shown, hidden, density: choices.density }
}

type BodyProps<Row extends object> = { props: ListProps<Row>; list: ReturnType<typeof useListPage<Row>> }

function ListBody<Row extends object>({ props, list }: BodyProps<Row>) {
  const { bulkActions = [], drawer, rowKey } = props
  const { state, change, query, page, selection } = list
  const onOpen = useThrottled((id: string) => list.open(id))
  if (query.isError && !page)
    return <FailedBlock error={filterRefusal(props.filters, query.error)} onRetry={() => void query.refetch()} />
  // Don't select rows that are about to be replaced or are outdated.
  const isAwaited = query.isPlaceholderData || query.isError
  const ticked = selection.isAll ? (page?.records ?? []) : selection.onPage
  return (
    <>
      {query.isError && <StaleLine onRetry={() => void query.refetch()} />}
      {bulkActions.length > 0 && !selection.isEmpty && page && !query.isError && (
        <ListBulkBar verbs={bulkActions} page={page} selection={selection} />
      )}
      <ListTable
        {...props}
        columns={list.shown}
        hidden={list.hidden}
        isCompact={list.density === 'compact'}
        rows={page?.records}
        state={{ ...state, sort: state.sort ?? props.defaultSort }}
        isBusy={query.isFetching && query.isPlaceholderData}
        {...(isAwaited && { isSelectable: () => false })}
        selected={bulkActions.length > 0 ? ticked : null}
        onSelect={selection.tick}
        onSort={(sort) => change({ sort })}
        onOpen={drawer ? (row) => onOpen(String(row[rowKey])) : null}
      />
    </>
  )
}

/** The rows are outdated. */
function StaleLine({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <p className="list-stale" role="alert">
      {t('list.stale')}
      <button type="button" className="button button-quiet" onClick={onRetry}>
        {t('action.retry')}
      </button>
    </p>
  )
}

type BulkProps<Row extends object> = {
  verbs: readonly BulkAction<Row>[]
  page: Page<Row>
  selection: ReturnType<typeof useSelection<Row>>
}

function ListBulkBar<Row extends object>({ verbs, page, selection }: BulkProps<Row>) {
  const number = useCount()
  const chosen = selection.selectionOf(page.total)
  const isWhole = 'rows' in chosen && chosen.rows.length >= page.total
  const isOffered = verbs.some(({ takesAll = false }) => takesAll) && !isWhole
  return (
    <BulkBar
      verbs={verbs}
      selection={chosen}
      onOtherPages={selection.onOtherPages}
      allTotal={isOffered ? number(page.total, page.totalIsLowerBound) : null}
      onSelectAll={selection.selectAll}
      onClear={selection.clear}
    />
  )
}

/** What determines the set of rows, regardless of page and order. */
function listedBy<Row extends object>(props: ListProps<Row>, state: ListState): Record<string, string> {
  return { ...props.fixedQuery, ...toListQuery(props.filters, state), ...(state.search && { search: state.search }) }
}

function useList<Row extends object>(props: ListProps<Row>, state: ListState, listed: Record<string, string>) {
  const { endpoint, queryKey, refreshEvery } = props
  const { i18n } = useTranslation()
  const { pageIndex, pageSize, sort } = state
  // Two lists may share a prefix: the rows of one are nothing to the other.
  const of = JSON.stringify([endpoint.path, props.fixedQuery ?? {}])
  const key = [queryKey, of, { ...listed, pageIndex, pageSize, sort }, i18n.language]
  return useQuery({
    queryKey: key,
    queryFn: ({ signal, client }) => {
      const background = client.getQueryData(key) !== undefined
      const query = { ...listed, pageIndex, pageSize, sort }
      return call(endpoint, { query: query as never }, { signal, background }) as Promise<Page<Row>>
    },
    // Keep the rows until the next page has loaded, but never those of another department or application.
    placeholderData: (before, former) => (former?.queryKey[1] === of ? before : undefined),
    refetchInterval: refreshEvery ?? false,
  })
}
