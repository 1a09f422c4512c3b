import { createRootRoute } from '@tanstack/react-router'
import { NotFoundPage, UnexpectedErrorPage } from './ErrorPages.tsx'
import { beforeNavigation } from './navigation.ts'
import { RootLayout } from './RootLayout.tsx'

type Search = Record<string, string>

/** The root of all pages: the checks before each navigation, and the pages for not found and errors. */
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
  // Every page sets its own title; what is left is not found.
  staticData: { title: 'not-found.title' },
  component: RootLayout,
  notFoundComponent: NotFoundPage,
  errorComponent: UnexpectedErrorPage,
})
