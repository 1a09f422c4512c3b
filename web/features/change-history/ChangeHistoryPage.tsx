import { useTranslation } from 'react-i18next'
import { ListFilters } from '../../ui/ListFilters.tsx'
import { type Filter, sanitizeListState, toListQuery } from '../../ui/list-filter.ts'
import { useListState } from '../../ui/list-state.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import '../../ui/list-page.css'
import { ChangeTimeline } from './ChangeTimeline.tsx'
import { documentOptions, KINDS, kindLabel } from './change-text.ts'

/** All changes in the back office, by kind and time, including settings. */
export function ChangeHistoryPage() {
  const { t } = useTranslation()
  const { state: given, change } = useListState(['targetKind', 'targetId', 'by', 'from', 'to'])
  const filters = useFilters(given.filters['targetKind'])
  const state = sanitizeListState(given, filters)
  const { targetId, ...rest } = toListQuery(filters, state)
  // An id needs a kind.
  const narrowed = rest['targetKind'] && targetId ? { ...rest, targetId } : rest
  const filter = state.search ? { ...narrowed, search: state.search } : narrowed
  const onChange: typeof change = (wanted) =>
    change(wanted.filters && 'targetKind' in wanted.filters ? withoutTarget(wanted) : wanted)
  return (
    <section className="card list-page" aria-labelledby="page-title">
      <header className="list-head">
        <div className="list-title">
          <div>
            <PageTitle>{t('change-history.title')}</PageTitle>
            <p className="muted">{t('change-history.explain')}</p>
          </div>
        </div>
        <ListFilters filters={filters} searchLabel={t('change-history.search')} state={state} onChange={onChange} />
      </header>
      <ChangeTimeline which={{ filter }} showsTarget />
    </section>
  )
}

/** A target belongs to one kind. */
const withoutTarget = <Wanted extends { filters?: object }>(wanted: Wanted): Wanted => ({
  ...wanted,
  filters: { ...wanted.filters, targetId: undefined },
})

function useFilters(kind: string | undefined): Filter[] {
  const { t } = useTranslation()
  const named = { name: 'targetId', label: t('change-history.target') }
  const target: Filter[] = kind === 'settings' ? [{ ...named, options: documentOptions() }] : kind ? [named] : []
  return [
    {
      name: 'targetKind',
      label: t('change-history.kind'),
      options: KINDS.map((value) => ({ value, label: kindLabel(value) })),
    },
    ...target,
    { name: 'by', label: t('change-history.by') },
    { kind: 'period', label: t('change-history.period') },
  ]
}
