import type { ReactNode } from 'react'

/** Where the focus goes after a navigation, so that a screen reader says where the person is. */
export const PAGE_TITLE = 'page-title'

/** The one `h1` of a page. */
export function PageTitle({ children }: { children: ReactNode }) {
  return (
    <h1 id={PAGE_TITLE} tabIndex={-1}>
      {children}
    </h1>
  )
}
