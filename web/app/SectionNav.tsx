import { Link, useRouterState } from '@tanstack/react-router'
import { type FocusEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { MenuPage } from './menu.ts'

/** Browsers leave a link where it is that is half in sight. */
const showWhole = ({ currentTarget }: FocusEvent) =>
  currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })

/** The pages of the section that the person is in, above each of them; nothing where the section is one page. */
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
