import { createMemoryHistory, createRouter } from '@tanstack/react-router'
import type { Permission } from '#shared/contract/permissions.ts'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'
import { routeTree } from './routes.tsx'

/**
 * In a preview frame of the back office the address is not the page's: see `features/appearance/preview.routes.ts` on
 * the server.
 */
export const previewedPath: string | undefined = document.documentElement.dataset['preview']

/** All search parameters stay strings, as in the address. */
export const router = createRouter({
  routeTree,
  ...(previewedPath && { history: createMemoryHistory({ initialEntries: [`/auth_web${previewedPath}`] }) }),
  basepath: '/auth_web',
  defaultPendingComponent: PageSkeleton,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 30_000,
  scrollRestoration: true,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
    return text && `?${text}`
  },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    /** Message key of the title. */
    title?: MessageKey
    icon?: IconName
    /** The menu that lists the page. */
    belong?: 'home' | 'manage'
    /** Belongs to the back office. */
    isManage?: boolean
    /** Open to administrators of some organisations too: to all, or to those with a permission. */
    administrators?: 'all' | Permission
    /** A detail page, never in a menu. */
    isSub?: boolean
    /** Message key of the menu group, or of the page that a detail page belongs to. */
    parentName?: MessageKey
    /** Where `parentName` links to, when it is a page. */
    parentPath?: '/manage/application-manage' | '/manage/organization' | '/manage/org-sync' | '/manage/exterPhone-sync'
  }
}

import type { MessageKey } from '../platform/i18n.ts'
import type { IconName } from '../ui/Icon.tsx'
