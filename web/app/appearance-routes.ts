import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadChunk } from '../platform/load-chunk.ts'

const page = { belong: 'manage', isManage: true, icon: 'smile', parentName: 'manage-menu.appearance' } as const

/** Pages for the look and the layout of the login page and the portal. */
export const appearanceRoutes = <Manage extends AnyRoute>(manage: Manage) =>
  [
    createRoute({
      getParentRoute: () => manage,
      path: '/login-topic',
      staticData: { ...page, title: 'login-topic.title' },
      component: lazyRouteComponent(() => loadChunk(() => import('./LoginTopicRoute.tsx')), 'LoginTopicRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/login-page-setup',
      staticData: { ...page, title: 'login-page-setup.title' },
      component: lazyRouteComponent(() => loadChunk(() => import('./LoginPageSetupRoute.tsx')), 'LoginPageSetupRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/home-page-settings',
      staticData: { ...page, title: 'home-page-settings.title' },
      component: lazyRouteComponent(
        () => loadChunk(() => import('./HomePageSettingsRoute.tsx')),
        'HomePageSettingsRoute',
      ),
    }),
  ] as const
