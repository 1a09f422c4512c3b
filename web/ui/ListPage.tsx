import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import type { TableKey } from '#shared/contract/tables.ts'
import { call } from '../platform/api.ts'
import { AntdTheme } from './AntdTheme.tsx'
import { BulkBar, type Verb } from './BulkBar.tsx'
import { ExportMenu } from './ExportMenu.tsx'
import { ListFilters } from './ListFilters.tsx'
import { type Column, ListTable } from './ListTable.tsx'
import { type Filter, namesOf, queryOf } from './list-filter.ts'
import { type ListState, useListState } from './list-state.ts'
import { Pager } from './Pager.tsx'
import { PageTitle } from './PageTitle.tsx'
import { FailedBlock } from './StateBlock.tsx'
import { TableChooser } from './TableChooser.tsx'
import { type Density, useTableChoices } from './table-choices.ts'
import './list-page.css'

type Page<Row> = { records: Row[]; total: number; totalIsLowerBound?: boolean | undefined }
type ListEndpoint<Row> = Endpoint<z.ZodType, z.ZodType, z.ZodType<Page<Row>>>

type Props<Row extends object> = {
  title: string
  /** A sentence below the title. */
  explain?: string
  /** A list of the contract. */
  endpoint: ListEndpoint<Row>
  /** The same list as a file, with the same filters. */
  exportEndpoint?: Endpoint
  /** First part of the query key: a verb invalidates it. */
  queryKey: string
  /** Absent: all columns are always shown. */
  tableKey?: TableKey
  rowKey: keyof Row & string
  /** What a row is called, for its checkbox and its verbs. */
  rowName: (row: Row) => string
  columns: readonly Column<Row>[]
  filters: readonly Filter[]
  searchLabel: string
  /** For selected rows together. */
  verbs?: readonly Verb<Row>[]
  /** For one row. */
  rowVerbs?: (row: Row) => ReactNode
  /** More about a row, behind a button; hidden columns come with it. */
  details?: (row: Row) => ReactNode
  /** Milliseconds; for lists whose rows come and go by themselves. */
  refreshEvery?: number
  isSelectable?: (row: Row) => boolean
  /** The order that the server answers in when none is asked for. */
  defaultSort?: string
  children?: ReactNode
}

/** A list is columns and verbs; search, filters, pages, sorting and every state in between live here. */
export function ListPage<Row extends object>(props: Props<Row>) {
  const { tableKey, columns, rowKey, filters, verbs = [] } = props
  const [state, change] = useListState(filters.flatMap(namesOf))
  const [selected, setSelected] = useState<Row[]>([])
  const list = useList(props, state)
  const choices = useTableChoices(tableKey)
  const page = choices.isPending ? undefined : list.data
  usePageWithin(page, state, change)
  const stillThere = selected.filter((row) => page?.records.some((other) => other[rowKey] === row[rowKey]))
  const { true: shown = [], false: hidden = [] } = Object.groupBy(columns, ({ key, isExtra = false }) =>
    String(choices.columns?.includes(key) ?? !isExtra),
  )
  return (
    <AntdTheme>
      <section className="card list-page" aria-labelledby="page-title">
        <ListHead {...props} shown={shown} density={choices.density} state={state} onChange={change} />
        {stillThere.length > 0 && <BulkBar rows={stillThere} verbs={verbs} onClear={() => setSelected([])} />}
        {list.isError && !page ? (
          <FailedBlock error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <ListTable
            {...props}
            columns={shown}
            hidden={hidden}
            isCompact={choices.density === 'compact'}
            rows={page?.records}
            state={{ ...state, sort: state.sort ?? props.defaultSort }}
            isBusy={list.isFetching && list.isPlaceholderData}
            selected={verbs.length > 0 ? stillThere : null}
            onSelect={setSelected}
            onSort={(sort) => change({ sort })}
          />
        )}
        {page && (
          <Pager
            pageIndex={state.pageIndex}
            pageSize={state.pageSize}
            total={page.total}
            isLowerBound={page.totalIsLowerBound ?? false}
            onChange={change}
          />
        )}
      </section>
      {props.children}
    </AntdTheme>
  )
}

type HeadProps<Row extends object> = Props<Row> & {
  shown: readonly Column<Row>[]
  density: Density
  state: ListState
  onChange: ReturnType<typeof useListState>[1]
}

function ListHead<Row extends object>(props: HeadProps<Row>) {
  const { title, explain, exportEndpoint, tableKey, columns, shown, density, filters, searchLabel, state } = props
  return (
    <header className="list-head">
      <div className="list-title">
        <div>
          <PageTitle>{title}</PageTitle>
          {explain && <p className="muted">{explain}</p>}
        </div>
        <div className="list-tools">
          {exportEndpoint && <ExportMenu title={title} endpoint={exportEndpoint} query={exportQuery(filters, state)} />}
          {tableKey && (
            <TableChooser tableKey={tableKey} columns={columns} shown={shown.map(({ key }) => key)} density={density} />
          )}
        </div>
      </div>
      <ListFilters filters={filters} searchLabel={searchLabel} state={state} onChange={props.onChange} />
    </header>
  )
}

function useList<Row extends object>({ endpoint, queryKey, filters, refreshEvery }: Props<Row>, state: ListState) {
  const { i18n } = useTranslation()
  const { filters: _, ...rest } = state
  const key = [queryKey, state, i18n.language]
  return useQuery({
    queryKey: key,
    queryFn: ({ signal, client }) => {
      const background = client.getQueryData(key) !== undefined
      const query = { ...rest, ...queryOf(filters, state) }
      return call(endpoint, { query: query as never }, { signal, background }) as Promise<Page<Row>>
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery ?? false,
  })
}

const exportQuery = (filters: readonly Filter[], state: ListState) => ({
  search: state.search,
  sort: state.sort,
  ...queryOf(filters, state),
})

/** A page that is not there any more, because rows went or the address says anything, becomes the last one. */
function usePageWithin<Row>(
  page: Page<Row> | undefined,
  { pageIndex, pageSize }: ListState,
  change: (change: { pageIndex: number }) => void,
): void {
  const last = page && page.records.length === 0 ? Math.ceil(page.total / pageSize) : 0
  useEffect(() => {
    if (last > 0 && pageIndex > last) change({ pageIndex: last })
  })
}
