import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useMatches } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { gatewayQuery } from '../platform/queries.ts'
import { useUser } from '../platform/session.ts'
import { Icon } from '../ui/Icon.tsx'
import { Mark } from '../ui/Mark.tsx'
import { Footer } from './Footer.tsx'
import { isAdministrator, type MenuPage, useMenuPages } from './menu.ts'
import { PageTop } from './PageTop.tsx'
import { LanguageMenu, ThemeMenu } from './PreferenceMenus.tsx'
import { ReadingButton } from './ReadingButton.tsx'
import { SectionNav } from './SectionNav.tsx'
import { UserMenu } from './UserMenu.tsx'
import { useOverflow } from './use-overflow.ts'

/** The shell of a person's own pages. On a phone the menu is a bar at the bottom, within reach of a thumb. */
export function HomeLayout() {
  const { t } = useTranslation()
  const { data: gateway } = useQuery(gatewayQuery())
  const user = useUser()
  const sections = useSections()
  const here = useMatches({ select: (matches) => sectionOf(matches.at(-1)?.staticData ?? {}) })
  return (
    <>
      <PageTop />
      <div className="shell shell-home">
        <header className="bar" ref={useOverflow<HTMLElement>()}>
          <ReadingButton />
          <Link to="/my-apps" className="brand">
            <Mark logo={gateway?.logo} />
            <span title={gateway?.schoolName}>{gateway?.schoolName ?? 'Gatehouse'}</span>
          </Link>
          <HomeMenu sections={sections} here={here} />
          <div className="bar-tools">
            <LanguageMenu />
            <ThemeMenu />
            {user && isAdministrator(user) && (
              <Link to="/manage" className="button button-quiet wide-only" title={t('shell.manage')}>
                <span className="icons-only">
                  <Icon name="manage" />
                </span>
                <span className="wide-only">{t('shell.manage')}</span>
              </Link>
            )}
            <UserMenu />
          </div>
        </header>
        <main id="main" tabIndex={-1}>
          <SectionNav pages={(here && sections.get(here)) || []} />
          <Outlet />
        </main>
        <Footer />
      </div>
    </>
  )
}

type Section = NonNullable<MenuPage['parentName']>

const sectionOf = ({ parentName, title }: { parentName?: Section | undefined; title?: Section | undefined }) =>
  parentName ?? title

/** The menu pages by section, in route order: the first page of a section represents it. */
const useSections = (): Map<Section | undefined, MenuPage[]> => Map.groupBy(useMenuPages('home'), sectionOf)

type MenuProps = { sections: ReturnType<typeof useSections>; here: Section | undefined }

function HomeMenu({ sections, here }: MenuProps) {
  const { t } = useTranslation()
  return (
    <nav className="bar-menu" aria-label={t('shell.main-menu')}>
      {[...sections].map(([section, [first]]) =>
        section && first ? (
          <Link
            key={section}
            to={first.to}
            className="bar-link"
            title={t(section)}
            // On another page of the section the link is not the current page, only the current section.
            aria-current={section === here ? 'true' : undefined}
          >
            <Icon name={first.icon} />
            <span>{t(section)}</span>
          </Link>
        ) : null,
      )}
    </nav>
  )
}
