import type { ReactNode } from 'react'

/** Focused after a navigation, so that screen readers announce the page. */
export const PAGE_TITLE = 'page-title'

/** The one `h1` of a page. */
export function PageTitle({ children }: { children: ReactNode }) {
  return (
    <h1 id={PAGE_TITLE} tabIndex={-1}>
      {children}
    </h1>
  )
}
