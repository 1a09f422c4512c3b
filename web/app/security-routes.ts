import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadChunk } from '../platform/load-chunk.ts'

const page = { belong: 'manage', isManage: true } as const
const ofSecurity = { ...page, icon: 'safety-certificate', parentName: 'manage-menu.security' } as const
const heldPeople = () => loadChunk(() => import('./HeldPeopleRoutes.tsx'))
const accountFieldRulesPage = () => loadChunk(() => import('./AccountFieldRulesRoute.tsx'))
const ofHolds = { ...page, icon: 'lock', parentName: 'manage-menu.security', administrators: 'all' } as const

/** The security centre: who may log in, how and from where, and the messages about it. */
export const securityRoutes = <Manage extends AnyRoute>(manage: Manage) =>
  [
    createRoute({
      getParentRoute: () => manage,
      path: '/login-config',
      staticData: { ...ofSecurity, title: 'login-config.title' },
      component: lazyRouteComponent(() => loadChunk(() => import('./LoginConfigRoute.tsx')), 'LoginConfigRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/account-field-rules',
      staticData: { ...page, title: 'field-rule.title', icon: 'profile', parentName: 'manage-menu.security' },
      component: lazyRouteComponent(accountFieldRulesPage, 'AccountFieldRulesRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/net-strategy',
      staticData: { ...ofSecurity, title: 'net-strategy.title' },
      component: lazyRouteComponent(() => loadChunk(() => import('./NetStrategyRoute.tsx')), 'NetStrategyRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/sleep-account',
      staticData: { ...ofHolds, title: 'sleep-account.title' },
      component: lazyRouteComponent(heldPeople, 'SleepAccountRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/lock-list',
      staticData: { ...ofHolds, title: 'lock-list.title' },
      component: lazyRouteComponent(heldPeople, 'LockListRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/freeze-account',
      staticData: { ...ofHolds, title: 'freeze-account.title' },
      component: lazyRouteComponent(heldPeople, 'FreezeAccountRoute'),
    }),
    // Spelled as in the specification.
    createRoute({
      getParentRoute: () => manage,
      path: '/massage-template',
      staticData: { ...ofSecurity, title: 'message-template.title', icon: 'mail' },
      component: lazyRouteComponent(
        () => loadChunk(() => import('./MessageTemplatesRoute.tsx')),
        'MessageTemplatesRoute',
      ),
    }),
  ] as const
