import { useTranslation } from 'react-i18next'
import { ExportMenu } from './ExportMenu.tsx'
import { ListFilters } from './ListFilters.tsx'
import type { ListProps, Page } from './list-page.types.ts'
import { type ChangeList, isFiltered, type ListState } from './list-state.ts'
import type { Column } from './list-table.types.ts'
import { PageTitle } from './PageTitle.tsx'
import { TableChooser } from './TableChooser.tsx'
import type { Density } from './table-choices.ts'

type Props<Row extends object> = ListProps<Row> & {
  titleId: string
  shown: readonly Column<Row>[]
  density: Density
  state: ListState
  total: string | undefined
  page: Page<Row> | undefined
  /** The filters as the call takes them. */
  listed: Record<string, string>
  onChange: ChangeList
}

/** Title and actions of the list, then its filters. */
export function ListHead<Row extends object>(props: Props<Row>) {
  const { t } = useTranslation()
  const { title, titleId, explain, actions, rowsActions, exportEndpoint, tableKey, columns, shown, density, state } =
    props
  const { embedded = false, filters, filtersShown, searchLabel, onChange, countLabel, total, page } = props
  /** Embedded and empty: nothing to search. */
  const isBare = embedded && total === '0' && !isFiltered(state)
  const fileTitle = isFiltered(state) ? t('list.export.filtered', { title: props.filteredTitle ?? title }) : title
  const exportQuery = { ...props.listed, sort: state.sort }
  return (
    <header className="list-head">
      <div className="list-title">
        <div>
          <div className="list-name">
            {embedded ? <h2 id={titleId}>{title}</h2> : <PageTitle>{title}</PageTitle>}
            {countLabel && total && page && <span className="muted">{countLabel(total, page.total)}</span>}
          </div>
          {explain && <p className="muted">{explain}</p>}
        </div>
        <div className="list-tools">
          {exportEndpoint && <ExportMenu rows={page} title={fileTitle} endpoint={exportEndpoint} query={exportQuery} />}
          {actions}
          {page && page.total > 0 && rowsActions}
        </div>
      </div>
      {!isBare && (
        <ListFilters filters={filters} most={filtersShown} searchLabel={searchLabel} state={state} onChange={onChange}>
          {tableKey && (
            <TableChooser tableKey={tableKey} columns={columns} shown={shown.map(({ key }) => key)} density={density} />
          )}
        </ListFilters>
      )}
    </header>
  )
}
