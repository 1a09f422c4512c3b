import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readStoredJson, STORAGE_KEYS } from '../platform/browser-storage.ts'
import type { MessageKey } from '../platform/i18n.ts'
import { Icon, type IconName } from '../ui/Icon.tsx'
import { type MenuPage, useMenuPages } from './menu.ts'

/** In menu order; the pages of a group follow the route table. */
const GROUPS: readonly { name: MessageKey | undefined; icon: IconName }[] = [
  { name: undefined, icon: 'home' },
  { name: 'manage-menu.users', icon: 'cluster' },
  { name: 'manage-menu.applications', icon: 'solution' },
  { name: 'manage-menu.security', icon: 'safety-certificate' },
  { name: 'manage-menu.appearance', icon: 'smile' },
  { name: 'manage-menu.prompts', icon: 'notification' },
  { name: 'manage-menu.system', icon: 'lock' },
  { name: 'manage-menu.logs', icon: 'profile' },
  { name: 'manage-menu.integrations', icon: 'external' },
]

/** The pages that the person may open, in collapsible groups. */
export function ManageMenu() {
  const { t } = useTranslation()
  const pages = useMenuPages('manage')
  const byGroup = Map.groupBy(pages, (page) => page.parentName)
  const groups = GROUPS.map(({ name, icon }) => ({ name, icon, pages: byGroup.get(name) ?? [] }))
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const here = pages.find(({ to }) => path === to || path.startsWith(`${to}/`))
  const [closed, toggle] = useClosedGroups(here?.parentName)
  const menu = useRef<HTMLElement>(null)
  const to = here?.to
  // The menu is longer than most windows, and an address may open any page of it.
  useEffect(() => {
    if (to) menu.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [to])
  return (
    <nav aria-label={t('shell.manage-menu')} ref={menu}>
      {groups.map(
        ({ name, icon, pages: inGroup }) =>
          inGroup.length > 0 && (
            <MenuGroup
              key={name ?? ''}
              name={name}
              icon={icon}
              pages={inGroup}
              isOpen={name === undefined || !closed.includes(name)}
              onToggle={toggle}
            />
          ),
      )}
    </nav>
  )
}

/** Remembered in this browser; the group of the current page is always expanded. */
function useClosedGroups(here: MessageKey | undefined): [readonly string[], (name: string) => void] {
  const [closed, setClosed] = useState<readonly string[]>(() => {
    const kept = readStoredJson<unknown>(localStorage, STORAGE_KEYS.menuGroups)
    return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string') : []
  })
  useEffect(() => {
    if (here) setClosed((before) => before.filter((name) => name !== here))
  }, [here])
  const toggle = (name: string) => {
    const next = closed.includes(name) ? closed.filter((one) => one !== name) : [...closed, name]
    localStorage.setItem(STORAGE_KEYS.menuGroups, JSON.stringify(next))
    setClosed(next)
  }
  return [closed, toggle]
}

type GroupProps = {
  name: MessageKey | undefined
  icon: IconName
  pages: MenuPage[]
  isOpen: boolean
  onToggle: (name: string) => void
}

function MenuGroup({ name, icon, pages, isOpen, onToggle }: GroupProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className="side-group">
      {name && (
        <h2>
          <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => onToggle(name)}>
            <Icon name={icon} />
            <span>{t(name)}</span>
            <Icon name="down" />
          </button>
        </h2>
      )}
      <ul id={id} hidden={!isOpen}>
        {pages.map((page) => (
          <li key={page.to}>
            <Link to={page.to} className={name ? 'side-link' : 'side-link side-link-top'}>
              {!name && <Icon name={page.icon} />}
              <span>{t(page.title)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
