import { Link, useRouterState } from '@tanstack/react-router'
import { type FocusEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { MenuPage } from './menu.ts'

/** Browsers don't scroll to a link that is partly visible. */
const showWhole = ({ currentTarget }: FocusEvent) =>
  currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })

/** The pages of the current section, above each of them; nothing if the section has one page. */
export function SectionNav({ pages }: { pages: readonly MenuPage[] }) {
  const { t } = useTranslation()
  const list = useRef<HTMLUListElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what this waits for.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [path])
  const [first] = pages
  if (!first || pages.length < 2) return null
  return (
    <nav className="section-nav" aria-label={t(first.parentName ?? first.title)}>
      <ul ref={list}>
        {pages.map(({ to, title }) => (
          <li key={to}>
            <Link to={to} className="section-link" onFocus={showWhole}>
              {t(title)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
