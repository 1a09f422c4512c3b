import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { MenuPage } from './menu.ts'

/** The pages of the section that the person is in, above each of them; nothing where the section is one page. */
export function SectionNav({ pages }: { pages: readonly MenuPage[] }) {
  const { t } = useTranslation()
  const [first] = pages
  if (!first || pages.length < 2) return null
  return (
    <nav className="section-nav" aria-label={t(first.parentName ?? first.title)}>
      <ul>
        {pages.map(({ to, title }) => (
          <li key={to}>
            <Link to={to} className="section-link">
              {t(title)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
