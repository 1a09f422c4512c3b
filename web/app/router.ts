import { createMemoryHistory, createRouter } from '@tanstack/react-router'
import type { Power } from '#shared/contract/powers.ts'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'
import { routeTree } from './routes.tsx'

/** In a frame of the back office the page is not the address: `features/appearance/preview.routes.ts` on the server. */
export const previewedPath: string | undefined = document.documentElement.dataset['preview']

/** All search values stay the strings they are in the address. */
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
    /** Whose menu lists the page. */
    belong?: 'home' | 'manage'
    /** Stands in the back office. */
    isManage?: boolean
    /** Open to administrators of some organisations too: to all, or to those with a power. */
    administrators?: 'all' | Power
    /** A detail page: never in a menu. */
    isSub?: boolean
    /** Message key of the menu group, or of the page a detail belongs to. */
    parentName?: MessageKey
    /** Where the words of `parentName` lead, when that is a page. */
    parentPath?: '/manage/application-manage' | '/manage/organization' | '/manage/org-sync' | '/manage/exterPhone-sync'
  }
}

import type { MessageKey } from '../platform/i18n.ts'
import type { IconName } from '../ui/Icon.tsx'
