import { useTranslation } from 'react-i18next'
import { ListFilters } from '../../ui/ListFilters.tsx'
import { type Filter, knownState, queryOf } from '../../ui/list-filter.ts'
import { useListState } from '../../ui/list-state.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import '../../ui/list-page.css'
import { ChangeTimeline } from './ChangeTimeline.tsx'
import { documents, KINDS, kindWord } from './words.ts'

/** Every change in the back office, by kind and time; settings show theirs here too. */
export function ChangeHistoryPage() {
  const { t } = useTranslation()
  const { state: given, change } = useListState(['targetKind', 'targetId', 'from', 'to'])
  const filters = useFilters(given.filters['targetKind'])
  const state = knownState(given, filters)
  const { targetId, ...rest } = queryOf(filters, state)
  // An id alone names nothing.
  const filter = rest['targetKind'] && targetId ? { ...rest, targetId } : rest
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
        <ListFilters filters={filters} searchLabel={undefined} state={state} onChange={onChange} />
      </header>
      <ChangeTimeline which={{ filter }} showsTarget />
    </section>
  )
}

/** The target of one kind is none of another. */
const withoutTarget = <Wanted extends { filters?: object }>(wanted: Wanted): Wanted => ({
  ...wanted,
  filters: { ...wanted.filters, targetId: undefined },
})

function useFilters(kind: string | undefined): Filter[] {
  const { t } = useTranslation()
  const named = { name: 'targetId', label: t('change-history.target') }
  const target: Filter[] = kind === 'settings' ? [{ ...named, options: documents() }] : kind ? [named] : []
  return [
    {
      name: 'targetKind',
      label: t('change-history.kind'),
      options: KINDS.map((value) => ({ value, label: kindWord(value) })),
    },
    ...target,
    { kind: 'period', label: t('change-history.period') },
  ]
}
