import { createRootRoute } from '@tanstack/react-router'
import { NotFoundPage, UnexpectedErrorPage } from './ErrorPages.tsx'
import { beforeNavigation } from './navigation.ts'
import { RootLayout } from './RootLayout.tsx'

type Search = Record<string, string>

/** What all pages hang below: the rules before each navigation, and what is shown for no page or a broken one. */
export const root = createRootRoute({
  validateSearch: (search: Record<string, unknown>) => search as Search,
  beforeLoad: ({ location, preload, matches }) =>
    preload
      ? undefined
      : beforeNavigation({
          pathname: location.pathname,
          search: location.search as Search,
          hash: location.hash,
          page: matches.at(-1)?.staticData ?? {},
        }),
  // Every page names itself below; what is left is no page.
  staticData: { title: 'not-found.title' },
  component: RootLayout,
  notFoundComponent: NotFoundPage,
  errorComponent: UnexpectedErrorPage,
})
