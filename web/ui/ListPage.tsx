import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { call } from '../platform/api.ts'
import { AntdTheme } from './AntdTheme.tsx'
import { type Filter, ListFilters } from './ListFilters.tsx'
import { type Column, ListTable } from './ListTable.tsx'
import { useListState } from './list-state.ts'
import { Pager } from './Pager.tsx'
import { PageTitle } from './PageTitle.tsx'
import { FailedBlock } from './StateBlock.tsx'
import './list-page.css'

type Page<Row> = { records: Row[]; total: number; totalIsLowerBound?: boolean | undefined }
type ListEndpoint<Row> = Endpoint<z.ZodType, z.ZodType, z.ZodType<Page<Row>>>

export type Verb<Row> = { label: string; danger?: boolean; onRun: (rows: Row[]) => void }

type Props<Row extends object> = {
  title: string
  /** A list of the contract. */
  endpoint: ListEndpoint<Row>
  /** First part of the query key: a verb invalidates it. */
  queryKey: string
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
  /** Milliseconds; for lists whose rows come and go by themselves. */
  refreshEvery?: number
  isSelectable?: (row: Row) => boolean
  /** The order that the server answers in when none is asked for. */
  defaultSort?: string
  children?: ReactNode
}

/** A list is columns and verbs; search, filters, pages, sorting and every state in between live here. */
export function ListPage<Row extends object>(props: Props<Row>) {
  const { title, endpoint, queryKey, rowKey, columns, filters, searchLabel, verbs = [], refreshEvery } = props
  const { i18n } = useTranslation()
  const [state, change] = useListState(filters.map(({ name }) => name))
  const [selected, setSelected] = useState<Row[]>([])
  const { filters: chosen, ...rest } = state
  const key = [queryKey, state, i18n.language]
  const list = useQuery({
    queryKey: key,
    queryFn: ({ signal, client }) => {
      const background = client.getQueryData(key) !== undefined
      return call(endpoint, { query: { ...rest, ...chosen } as never }, { signal, background }) as Promise<Page<Row>>
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery ?? false,
  })
  const page = list.data
  const stillThere = selected.filter((row) => page?.records.some((other) => other[rowKey] === row[rowKey]))
  return (
    <AntdTheme>
      <section className="card list-page" aria-labelledby="page-title">
        <header className="list-head">
          <PageTitle>{title}</PageTitle>
          <ListFilters filters={filters} searchLabel={searchLabel} state={state} onChange={change} />
        </header>
        {verbs.length > 0 && stillThere.length > 0 && (
          <BulkBar rows={stillThere} verbs={verbs} onClear={() => setSelected([])} />
        )}
        {list.isError && !page ? (
          <FailedBlock error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <ListTable
            {...props}
            columns={columns}
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

type BulkBarProps<Row> = { rows: Row[]; verbs: readonly Verb<Row>[]; onClear: () => void }

function BulkBar<Row>({ rows, verbs, onClear }: BulkBarProps<Row>) {
  const { t } = useTranslation()
  return (
    <div className="bulk-bar" role="status">
      <strong>{t('list.selected', { count: rows.length })}</strong>
      <button type="button" onClick={onClear}>
        {t('list.clear-selection')}
      </button>
      <span className="bulk-verbs">
        {verbs.map(({ label, onRun }) => (
          <button key={label} type="button" onClick={() => onRun(rows)}>
            {label}
          </button>
        ))}
      </span>
    </div>
  )
}
