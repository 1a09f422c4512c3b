import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listMyApplications, type MyApplication } from '#shared/contract/applications.ts'
import type { HomeBlock, HomePage, ShownAnnouncement, ShownSlide } from '#shared/contract/home-page.ts'
import { type CallOutput, call } from '../../platform/api.ts'
import { formatDateWithWeekday } from '../../platform/format-time.ts'
import { partOfDay } from '../../platform/part-of-day.ts'
import { gatewayQuery } from '../../platform/queries.ts'
import { findLastReply, keepLastReply } from '../../platform/reply-cache.ts'
import { sessionToken, useUser } from '../../platform/session.ts'
import { takePicture } from '../../platform/take-picture.ts'
import { Icon } from '../../ui/Icon.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock, StateBlock } from '../../ui/StateBlock.tsx'
import { AppGrid, AppGridSkeleton, FavouritesContext } from './AppGrid.tsx'
import { AppSearch } from './AppSearch.tsx'
import { categoriesOf, favouritesOf, filterApps, type Section, sectionsOf } from './app-sections.ts'
import { CategoryChips } from './CategoryChips.tsx'
import { Favourites } from './Favourites.tsx'
import { readAnnouncements, useOwnHomePage } from './own-home-page.ts'
import './my-apps.css'

/** The most that a list returns; more is hardly ever granted. Beyond it the server searches. */
const MAX_APPS = 1000

/** Used until the institution's layout has loaded. */
const SHIPPED_BLOCKS: readonly HomeBlock[] = ['advice', 'mailbox', 'favourites', 'recent', 'categories', 'links']

/** Parts that other features contribute. */
export type HomeSlots = {
  /** Advice about the account. */
  advice: ReactNode
  announcements: (all: readonly ShownAnnouncement[], onRead: (ids: string[]) => void) => ReactNode
  carousel: (slides: readonly ShownSlide[]) => ReactNode
}

export function MyAppsPage({ slots }: { slots: HomeSlots }) {
  const [search, setSearch] = useState('')
  const home = useQuery(gatewayQuery()).data?.home
  const own = useOwnHomePage()
  const blocks = (home?.blocks ?? SHIPPED_BLOCKS).filter((block) => !own?.hidden.includes(block))
  const first = blocks.find((block) => block === 'favourites' || block === 'recent' || block === 'categories')
  const wanted = useDeferredValue(search.trim())
  const { chips, isWhole = false, ...apps } = useApplications(wanted, own?.favourites ?? [], () => setSearch(''))
  usePictureTaken(own !== undefined && isWhole)
  const parts: Record<HomeBlock, ReactNode> = {
    advice: slots.advice,
    announcements: own && own.announcements.length > 0 && slots.announcements(own.announcements, readAnnouncements),
    carousel: own && own.slides.length > 0 && slots.carousel(own.slides),
    mailbox: own?.mailbox && <MailboxTile address={own.mailbox} search={wanted} />,
    favourites: null,
    recent: null,
    ...apps,
    links: <HomeLinks links={home?.links ?? []} />,
  }
  const pinned = blocks.includes('favourites') ? (own?.favourites ?? null) : null
  return (
    <div className="page my-apps">
      <header className="my-apps-head">
        <Greeting welcome={home?.welcome ?? null} />
        {home?.searchField !== false && <AppSearch value={search} onChange={setSearch} />}
      </header>
      <Banner />
      <FavouritesContext value={pinned}>
        {blocks.map((block) => (
          <Fragment key={block}>
            {block === first && chips}
            {parts[block]}
          </Fragment>
        ))}
      </FavouritesContext>
    </div>
  )
}

const AT_REST_MS = 1000

/** Stores a snapshot of this page for the next tab, once everything has loaded. */
function usePictureTaken(isWhole: boolean): void {
  useEffect(() => {
    if (!isWhole) return
    const timer = setTimeout(takePicture, AT_REST_MS)
    return () => clearTimeout(timer)
  })
}

/** The institution's banner, during its period. */
function Banner() {
  const { data: gateway } = useQuery(gatewayQuery())
  return gateway?.banner && <p className={`banner banner-${gateway.banner.tone}`}>{gateway.banner.text}</p>
}

function Greeting({ welcome }: { welcome: string | null }) {
  const { t, i18n } = useTranslation()
  const user = useUser()
  const now = new Date()
  const date = useDateToday(i18n.language)
  return (
    <div>
      <p className="muted">
        <time dateTime={now.toISOString().slice(0, 10)}>{date || '\u00a0'}</time>
      </p>
      <PageTitle>{t(`my-apps.greeting.${partOfDay()}`, { name: user?.nick || user?.name || '' })}</PageTitle>
      {welcome && <p className="my-apps-welcome">{welcome}</p>}
    </div>
  )
}

/** Empty in the first render: formatting the first date takes a slow phone as long as everything else. */
function useDateToday(language: string): string {
  const [date, setDate] = useState('')
  useEffect(() => setDate(formatDateWithWeekday(new Date(), language)), [language])
  return date
}

type MyApplications = CallOutput<typeof listMyApplications>

type AppParts = {
  chips?: ReactNode
  categories: ReactNode
  /** All applications are shown, without a filter. */
  isWhole?: boolean
} & {
  [Block in 'favourites' | 'recent']?: Exclude<ReactNode, undefined>
}

/** Favourites, recent and all applications; a message replaces them when there is something else to say. */
function useApplications(search: string, favourites: readonly string[], onReset: () => void): AppParts {
  const { i18n } = useTranslation()
  const [categoryId, setCategoryId] = useState<string | null>(null)
  const id = useUser()?.userId ?? ''
  const token = sessionToken()
  const name = `my-apps ${i18n.language}`
  const all = useQuery({
    queryKey: ['my-apps', id, i18n.language],
    queryFn: async ({ signal }) => {
      const page = await call(listMyApplications, { query: { id, pageSize: MAX_APPS } }, { signal })
      keepLastReply(token, name, page)
      return page
    },
    placeholderData: () => findLastReply(token, name) as MyApplications | undefined,
  })
  const isComplete = !all.data || all.data.total <= all.data.records.length
  const remote = useQuery({
    queryKey: ['my-apps', id, i18n.language, search],
    queryFn: ({ signal }) => call(listMyApplications, { query: { id, pageSize: MAX_APPS, search } }, { signal }),
    enabled: !isComplete && search !== '',
    placeholderData: keepPreviousData,
  })
  if (all.isError) return { categories: <FailedBlock error={all.error} onRetry={() => void all.refetch()} /> }
  if (!all.data) return { categories: <AppGridSkeleton /> }
  const { records } = all.data
  if (records.length === 0) return { categories: <NoApplications /> }
  if (search !== '') {
    const found = isComplete ? filterApps(records, search) : (remote.data?.records ?? [])
    return { categories: <Results search={search} apps={found} /> }
  }
  const categories = categoriesOf(records)
  const chosen = categories.some((category) => category.id === categoryId) ? categoryId : null
  const sections = sectionsOf(records, chosen)
  const choose = (next: string | null) => {
    setCategoryId(next)
    onReset()
  }
  const show = (section: Section) => <AppSection key={section.id} section={section} isOnly={sections.length === 1} />
  return {
    isWhole: chosen === null,
    chips: <CategoryChips categories={categories} total={all.data.total} chosen={chosen} onChoose={choose} />,
    favourites: chosen === null && <Favourites apps={favouritesOf(records, favourites)} />,
    recent: sections.filter((section) => section.id === 'recent').map(show),
    categories: sections.filter((section) => section.id !== 'recent').map(show),
  }
}

/** Opens a tab that fetches the link itself: a link fetched now could not be used later. */
function MailboxTile({ address, search }: { address: string; search: string }) {
  const { t } = useTranslation()
  const title = t('my-mailbox.title')
  const isWanted = [title, address].some((text) => text.toLowerCase().includes(search.toLowerCase()))
  if (!isWanted) return null
  return (
    <section className="app-section" aria-label={title}>
      <div className="app-grid">
        <a className="card app-tile" href="/auth_web/mailbox" target="_blank" rel="noopener">
          <span className="app-icon">
            <Icon name="mail" />
          </span>
          <span className="app-words">
            <span className="app-name">{title}</span>
            <span className="app-description">{address}</span>
          </span>
          <span className="visually-hidden">{t('my-apps.new-tab')}</span>
        </a>
      </div>
    </section>
  )
}

function HomeLinks({ links }: Pick<HomePage, 'links'>) {
  const { t } = useTranslation()
  if (links.length === 0) return null
  const title = t('my-apps.links')
  return (
    <nav className="app-section" aria-label={title}>
      <h2>{title}</h2>
      <ul className="home-links">
        {links.map(({ text, url }) => (
          <li key={`${text} ${url}`}>
            <a href={url} target="_blank" rel="noopener">
              {text}
              <span className="visually-hidden"> {t('my-apps.new-tab')}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
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
