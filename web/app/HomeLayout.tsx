import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { gatewayQuery } from '../platform/queries.ts'
import { useUser } from '../platform/session.ts'
import { Icon } from '../ui/Icon.tsx'
import { Mark } from '../ui/Mark.tsx'
import { LanguageMenu, ThemeMenu } from './ChoiceMenus.tsx'
import { Footer } from './Footer.tsx'
import { useMenu } from './menu.ts'
import { SkipLink } from './SkipLink.tsx'
import { UserMenu } from './UserMenu.tsx'

/** The shell of a person's own pages. On a phone the menu is a bar at the bottom, within reach of a thumb. */
export function HomeLayout() {
  const { t } = useTranslation()
  const { data: gateway } = useQuery(gatewayQuery())
  const user = useUser()
  return (
    <div className="shell shell-home">
      <SkipLink />
      <header className="bar">
        <Link to="/my-apps" className="brand">
          <Mark logo={gateway?.logo} />
          <span>{gateway?.schoolName ?? 'Gatehouse'}</span>
        </Link>
        <HomeMenu />
        <div className="bar-tools">
          <LanguageMenu />
          <ThemeMenu />
          {user?.isSuperUser === '1' && (
            <Link to="/manage" className="button button-quiet wide-only">
              {t('shell.manage')}
            </Link>
          )}
          <UserMenu />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
    </div>
  )
}

function HomeMenu() {
  const { t } = useTranslation()
  return (
    <nav className="bar-menu" aria-label={t('shell.main-menu')}>
      {useMenu('home').map(({ to, title, icon, parentName }) => (
        <Link key={to} to={to} className="bar-link">
          <Icon name={icon} />
          <span>{t(parentName ?? title)}</span>
        </Link>
      ))}
    </nav>
  )
}
