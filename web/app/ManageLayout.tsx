import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useMatches, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ScopeLine } from '../features/administrators/ScopeLine.tsx'
import { UnconfirmedChanges } from '../features/unconfirmed-changes/UnconfirmedChanges.tsx'
import { STORAGE_KEYS } from '../platform/browser-storage.ts'
import { gatewayQuery } from '../platform/queries.ts'
import { Icon } from '../ui/Icon.tsx'
import { Mark } from '../ui/Mark.tsx'
import { Footer } from './Footer.tsx'
import { GlobalSearch } from './GlobalSearch.tsx'
import { ManageMenu } from './ManageMenu.tsx'
import { PageTop } from './PageTop.tsx'
import { LanguageMenu, ThemeMenu } from './PreferenceMenus.tsx'
import { ReadingButton } from './ReadingButton.tsx'
import { UserMenu } from './UserMenu.tsx'
import './manage.css'

/** The shell of the back office: grouped menu at the side, behind a button on a narrow screen. */
export function ManageLayout() {
  const { t } = useTranslation()
  const { data: gateway } = useQuery(gatewayQuery())
  const [open, setOpen] = useMenuOpen()
  return (
    <>
      <PageTop />
      <div className="manage" data-menu={open ? 'open' : 'closed'}>
        <header className="manage-bar">
          <ReadingButton />
          <button
            type="button"
            className="button button-quiet"
            aria-expanded={open}
            aria-label={t(open ? 'shell.close-menu' : 'shell.open-menu')}
            onClick={() => setOpen(!open)}
          >
            <Icon name="menu" />
          </button>
          <Crumbs />
          <div className="bar-tools">
            <GlobalSearch />
            <LanguageMenu />
            <ThemeMenu />
            <Link to="/my-apps" className="button button-quiet wide-only">
              {t('shell.back-to-portal')}
            </Link>
            <UserMenu inManage />
          </div>
        </header>
        <aside className="side" aria-label={t('shell.manage')}>
          <span className="brand">
            <Mark logo={gateway?.logo} />
            <span>{t('shell.manage')}</span>
          </span>
          <ManageMenu />
        </aside>
        <div className="manage-body">
          <main id="main" tabIndex={-1} className="manage-main">
            <ScopeLine />
            <UnconfirmedChanges />
            <Outlet />
          </main>
          <Footer />
        </div>
      </div>
    </>
  )
}

const isNarrow = (): boolean => document.documentElement.hasAttribute('data-compact')

const startsOpen = (): boolean => !isNarrow() && localStorage.getItem(STORAGE_KEYS.menu) !== '1'

/**
 * Open on a wide screen unless closed in this browser; on a narrow one it covers the page, so it closes after each
 * choice.
 */
function useMenuOpen(): [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(startsOpen)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what this waits for.
  useEffect(() => {
    if (isNarrow()) setOpen(false)
  }, [path])
  useEffect(() => {
    // When the window becomes narrow, or a tablet is turned, the menu would cover the page; it returns when the window
    // is wide again.
    const observer = new MutationObserver(() => setOpen(startsOpen()))
    observer.observe(document.documentElement, { attributeFilter: ['data-compact'] })
    // A window that got its size since the first rendering changed before there was anybody to notice.
    setOpen(startsOpen())
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && isNarrow()) setOpen(false)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  const choose = (next: boolean) => {
    setOpen(next)
    if (!isNarrow()) localStorage.setItem(STORAGE_KEYS.menu, next ? '0' : '1')
  }
  return [open, choose]
}

function Crumbs() {
  const { t } = useTranslation()
  const data = useMatches({ select: (matches) => matches.at(-1)?.staticData })
  return (
    // A long title is cut off on a phone.
    <p className="crumbs" title={data?.title && t(data.title)}>
      {data?.parentName && (
        <span className={data.parentPath ? 'muted' : 'muted crumb-group'}>
          {data.parentPath ? <Link to={data.parentPath}>{t(data.parentName)}</Link> : t(data.parentName)} /{' '}
        </span>
      )}
      {data?.title && <strong>{t(data.title)}</strong>}
    </p>
  )
}
