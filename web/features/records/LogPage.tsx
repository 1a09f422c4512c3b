import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import type { loginFigures, visitFigures } from '#shared/contract/log-centre.ts'
import type { TableKey } from '#shared/contract/tables.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import { lazyPart } from '../../platform/lazy-part.ts'
import { useMay } from '../../platform/session.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ListDrawer } from '../../ui/ListDrawer.tsx'
import { ListFilters } from '../../ui/ListFilters.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { type Filter, filterNames, sanitizeListState, toListQuery } from '../../ui/list-filter.ts'
import { type ListState, useListState } from '../../ui/list-state.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { restoreFocus } from '../../ui/restore-focus.ts'
import { FailedBlock, StateBlock } from '../../ui/StateBlock.tsx'
import { TableChooser } from '../../ui/TableChooser.tsx'
import { useTableChoices } from '../../ui/table-choices.ts'
import { useCoarsePointer } from '../../ui/use-coarse-pointer.ts'
import type { LogKind } from './log-columns.tsx'
import { LogChips, type Narrow, type Pivot, withPivot } from './log-pivots.tsx'
import '../../ui/list-page.css'
import './log.css'
import './log-figures.css'

const LogExportDialog = lazyPart(() => import('./LogExportDialog.tsx'), 'LogExportDialog')
const LogFigures = lazyPart(() => import('./LogFigures.tsx'), 'LogFigures')

type Line = { key: string }
type Found<Row> = {
  records: Row[]
  searchedBackTo: string | null
  next: string | null
  names: Record<string, string>
}

export type LogProps<Row extends Line> = {
  title: string
  explain: string
  endpoint: Endpoint<z.ZodType, z.ZodType, z.ZodType<Found<Row>>>
  tableKey: TableKey
  rowName: (row: Row) => string
  columns: (narrow: Narrow) => Column<Row>[]
  filters: readonly Filter[]
  /** Values that can be filtered by without a filter field. */
  pivots: readonly Pivot[]
  drawer: (key: string, narrow: Narrow) => ReactNode
  /** Absent: without figures and export. */
  counted?: { kind: LogKind; figures: typeof loginFigures | typeof visitFigures }
}

/**
 * A log, newest first: a search runs for a bounded time and says how far back it looked. The whole query is in the
 * address.
 */
export function LogPage<Row extends Line>(props: LogProps<Row>) {
  const { title, explain, filters, pivots, drawer } = props
  const { t } = useTranslation()
  const isCoarse = useCoarsePointer()
  const names = [...filters.flatMap(filterNames), ...pivots.map(({ name }) => name), 'without']
  const { state: given, change, open } = useListState(names, 'address', 'log')
  const state = withPivots(given, filters, pivots)
  const listed = toLogQuery(filters, state)
  const [rows, query] = useLog(props, listed)
  const refine = keepingFocus(change)
  const narrow: Narrow = (name, value, isKeptOut) =>
    refine({ filters: withPivot(state.filters, { name, value, isKeptOut }) })
  const columns = props.columns(narrow)
  const choices = useTableChoices(props.tableKey)
  const shown = columns.filter(({ key, isExtra = false }) => choices.columns?.includes(key) ?? !isExtra)
  return (
    <section className="card list-page" aria-labelledby={PAGE_TITLE}>
      <header className="list-head">
        <div className="list-title">
          <div>
            <PageTitle>{title}</PageTitle>
            <p className="muted">{isCoarse ? explain : t('log.with-exclude', { explain })}</p>
          </div>
          {props.counted && (
            <LogExport
              kind={props.counted.kind}
              listed={listed}
              columns={columns}
              shown={shown.map(({ key }) => key)}
            />
          )}
        </div>
        <ListFilters filters={filters} searchLabel={t('log.search')} state={state} onChange={change}>
          <TableChooser
            tableKey={props.tableKey}
            columns={columns}
            shown={shown.map(({ key }) => key)}
            density={choices.density}
          />
        </ListFilters>
        <LogChips
          state={state}
          pivots={pivots}
          filters={filters}
          names={query.data?.pages[0]?.names}
          onChange={refine}
        />
      </header>
      {props.counted && (
        <div className="log-figures">
          <Suspense fallback={<Skeleton lines={4} />}>
            <LogFigures
              kind={props.counted.kind}
              endpoint={props.counted.figures}
              listed={listed}
              narrow={narrow}
              onPeriod={(from, to) => change({ filters: { from, to } })}
            />
          </Suspense>
        </div>
      )}
      <LogBody
        rows={choices.isPending ? undefined : rows}
        query={query}
        table={{ ...props, columns: shown, hidden: columns.filter((one) => !shown.includes(one)) }}
        state={state}
        isCompact={choices.density === 'compact'}
        onOpen={(row) => open(row.key)}
      />
      <ListDrawer<Row>
        drawer={{ title: (row) => (row ? props.rowName(row) : title), render: (key) => drawer(key, narrow) }}
        rowKey="key"
        open={state.open}
        records={rows}
        pageIndex={1}
        pageSize={rows?.length ?? 0}
        total={rows?.length ?? 0}
        onOpen={open}
        onPage={() => undefined}
      />
    </section>
  )
}

type Change = ReturnType<typeof useListState>['change']

/** The value or chip that was pressed may disappear with the change. */
const keepingFocus =
  (change: Change): Change =>
  (next) => {
    restoreFocus(document.activeElement)
    change(next)
  }

type ExportProps = {
  kind: LogKind
  listed: Record<string, string>
  columns: readonly { key: string; title: string }[]
  shown: readonly string[]
}

/** Only with the permission to export. */
function LogExport(props: ExportProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (!useMay()('import')) return null
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        <Icon name="download" />
        {t('list.export')}
      </button>
      {isOpen && (
        <Suspense>
          <LogExportDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Keep filters without a field: they were picked from a record. */
function withPivots(given: ListState, filters: readonly Filter[], pivots: readonly Pivot[]): ListState {
  const state = sanitizeListState(given, filters)
  const own = ['without', ...pivots.map(({ name }) => name)].flatMap((name) =>
    given.filters[name] ? [[name, given.filters[name]] as const] : [],
  )
  return { ...state, filters: { ...state.filters, ...Object.fromEntries(own) } }
}

const toLogQuery = (filters: readonly Filter[], state: ListState): Record<string, string> => ({
  ...toListQuery(filters, state),
  ...(state.search && { search: state.search }),
})

function useLog<Row extends Line>({ endpoint, tableKey }: LogProps<Row>, listed: Record<string, string>) {
  const { i18n } = useTranslation()
  const query = useInfiniteQuery({
    queryKey: [tableKey, listed, i18n.language],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(endpoint, { query: { ...listed, pageSize: PAGE_SIZE, after: pageParam } as never }, { signal }) as Promise<
        Found<Row>
      >,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  return [query.data?.pages.flatMap(({ records }) => records), query] as const
}

const PAGE_SIZE = 50

type BodyProps<Row extends Line> = {
  rows: Row[] | undefined
  query: ReturnType<typeof useLog<Row>>[1]
  table: Pick<LogProps<Row>, 'title' | 'rowName'> & { columns: Column<Row>[]; hidden: Column<Row>[] }
  state: ListState
  isCompact: boolean
  onOpen: (row: Row) => void
}

function LogBody<Row extends Line>({ rows, query, table, state, isCompact, onOpen }: BodyProps<Row>) {
  const { t } = useTranslation()
  if (query.isError && !query.data) return <FailedBlock error={query.error} onRetry={() => void query.refetch()} />
  const isOver = !query.hasNextPage
  return (
    <>
      {rows?.length === 0 && !isOver ? (
        <StateBlock title={t('log.nothing-yet')} />
      ) : (
        <ListTable<Row>
          {...table}
          rows={rows}
          rowKey="key"
          isCompact={isCompact}
          state={state}
          isBusy={false}
          selected={null}
          onSelect={() => undefined}
          onSort={() => undefined}
          onOpen={onOpen}
        />
      )}
      {rows && <LogFoot rows={rows.length} query={query} />}
    </>
  )
}

function LogFoot<Row extends Line>({ rows, query }: { rows: number; query: BodyProps<Row>['query'] }) {
  const { t, i18n } = useTranslation()
  const number = useCount()
  const last = query.data?.pages.at(-1)
  const isFull = last?.records.length === PAGE_SIZE
  const back = last?.searchedBackTo ? formatDateTime(new Date(last.searchedBackTo), i18n.language) : null
  const total = { count: rows, total: number(rows) }
  const found = isFull ? t('log.shown', total) : t('log.searched-back', { ...total, time: back })
  const words = back === null ? rows > 0 && t('log.complete', total) : found
  return (
    <footer className="log-foot">
      <p className="muted" role="status">
        {query.isFetchNextPageError ? t('network.unreachable') : words}
      </p>
      {query.hasNextPage && (
        <button
          type="button"
          className="button"
          aria-disabled={query.isFetchingNextPage || undefined}
          onClick={() => {
            if (!query.isFetchingNextPage) void query.fetchNextPage()
          }}
        >
          {query.isFetchingNextPage ? t('log.searching') : t(isFull ? 'log.more' : 'log.go-on')}
        </button>
      )}
    </footer>
  )
}
