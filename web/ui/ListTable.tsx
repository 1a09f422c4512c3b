import { useTranslation } from 'react-i18next'
import { DataTable } from './DataTable.tsx'
import { ListCards } from './ListCards.tsx'
import { isFiltered } from './list-state.ts'
import type { ListRows } from './list-table.types.ts'
import { Skeleton } from './PageSkeleton.tsx'
import { StateBlock } from './StateBlock.tsx'
import { useNarrow } from './use-narrow.ts'
import './list-rows.css'

export function ListTable<Row extends object>(props: ListRows<Row>) {
  const { rows, state, isBusy } = props
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  if (!rows) {
    return (
      <div className="list-waiting">
        <Skeleton lines={6} />
      </div>
    )
  }
  if (rows.length === 0) {
    if (isFiltered(state)) return <StateBlock title={t('list.empty-filtered')} />
    if (typeof props.empty === 'string') return <StateBlock title={props.empty} />
    return <StateBlock title={t('list.empty')}>{props.empty}</StateBlock>
  }
  if (!isNarrow) return <DataTable {...props} rows={rows} />
  return (
    <div aria-busy={isBusy} className={isBusy ? 'list-busy' : undefined}>
      <ListCards {...props} />
    </div>
  )
}
