import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listMyApplications, type MyApplication } from '#shared/contract/applications.ts'
import { call } from '../../platform/api.ts'
import { formatDateWithWeekday } from '../../platform/format-time.ts'
import { gatewayQuery } from '../../platform/queries.ts'
import { useUser } from '../../platform/session.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock, StateBlock } from '../../ui/StateBlock.tsx'
import { AppGrid, AppGridSkeleton } from './AppGrid.tsx'
import { AppSearch } from './AppSearch.tsx'
import { categoriesOf, filterApps, type Section, sectionsOf } from './app-sections.ts'
import { CategoryChips } from './CategoryChips.tsx'
import './my-apps.css'

/** The most a list answers; nobody has been granted that many. Beyond it the server searches. */
const MAX_APPS = 1000

/** @param props.advice what other features want to say above the applications. */
export function MyAppsPage({ advice }: { advice?: ReactNode }) {
  const [search, setSearch] = useState('')
  return (
    <div className="page my-apps">
      <header className="my-apps-head">
        <Greeting />
        <AppSearch value={search} onChange={setSearch} />
      </header>
      {advice}
      <Applications search={useDeferredValue(search.trim())} onReset={() => setSearch('')} />
    </div>
  )
}

function Greeting() {
  const { t, i18n } = useTranslation()
  const user = useUser()
  const now = new Date()
  const date = useDateToday(i18n.language)
  const part = now.getHours() < 5 || now.getHours() >= 18 ? 'evening' : now.getHours() < 12 ? 'morning' : 'afternoon'
  return (
    <div>
      <p className="muted">
        <time dateTime={now.toISOString().slice(0, 10)}>{date || '\u00a0'}</time>
      </p>
      <PageTitle>{t(`my-apps.greeting.${part}`, { name: user?.nick || user?.name || '' })}</PageTitle>
    </div>
  )
}

/** Empty in the first picture: a browser's first date takes a slow phone as long as all the rest of it. */
function useDateToday(language: string): string {
  const [date, setDate] = useState('')
  useEffect(() => setDate(formatDateWithWeekday(new Date(), language)), [language])
  return date
}

function Applications({ search, onReset }: { search: string; onReset: () => void }) {
  const { i18n } = useTranslation()
  const [categoryId, setCategoryId] = useState<string | null>(null)
  const id = useUser()?.userId ?? ''
  const all = useQuery({
    queryKey: ['my-apps', id, i18n.language],
    queryFn: ({ signal }) => call(listMyApplications, { query: { id, pageSize: MAX_APPS } }, { signal }),
  })
  const isComplete = !all.data || all.data.total <= all.data.records.length
  const remote = useQuery({
    queryKey: ['my-apps', id, i18n.language, search],
    queryFn: ({ signal }) => call(listMyApplications, { query: { id, pageSize: MAX_APPS, search } }, { signal }),
    enabled: !isComplete && search !== '',
    placeholderData: keepPreviousData,
  })
  if (all.isError) return <FailedBlock error={all.error} onRetry={() => void all.refetch()} />
  if (!all.data) return <AppGridSkeleton />
  const { records } = all.data
  if (records.length === 0) return <NoApplications />
  if (search !== '')
    return <Results search={search} apps={isComplete ? filterApps(records, search) : (remote.data?.records ?? [])} />
  const categories = categoriesOf(records)
  const chosen = categories.some((category) => category.id === categoryId) ? categoryId : null
  const sections = sectionsOf(records, chosen)
  return (
    <>
      <CategoryChips
        categories={categories}
        total={all.data.total}
        chosen={chosen}
        onChoose={(next) => {
          setCategoryId(next)
          onReset()
        }}
      />
      {sections.map((section) => (
        <AppSection key={section.id} section={section} isOnly={sections.length === 1} />
      ))}
    </>
  )
}

function AppSection({ section, isOnly }: { section: Section; isOnly: boolean }) {
  const { t } = useTranslation()
  const names = { recent: t('my-apps.recent'), others: t(isOnly ? 'my-apps.all' : 'my-apps.other') }
  const title = section.name ?? names[section.id as keyof typeof names]
  return (
    <section className="app-section" aria-label={title}>
      <h2>{title}</h2>
      <AppGrid apps={section.apps} label={title} />
    </section>
  )
}

function Results({ search, apps }: { search: string; apps: MyApplication[] }) {
  const { t } = useTranslation()
  const count = apps.length
  return (
    <section className="app-section">
      <p className="muted" role="status">
        {t('my-apps.results', { count })}
      </p>
      {count > 0 ? (
        <AppGrid apps={apps} label={t('my-apps.results', { count })} />
      ) : (
        <StateBlock title={t('my-apps.not-found.title', { search })} text={t('my-apps.not-found.text')} />
      )}
    </section>
  )
}

function NoApplications() {
  const { t } = useTranslation()
  const { data: gateway } = useQuery(gatewayQuery())
  const contact = gateway?.contact
  return (
    <StateBlock
      title={t('my-apps.none.title')}
      text={contact ? t('my-apps.none.contact', { contact }) : t('my-apps.none.text')}
    />
  )
}
