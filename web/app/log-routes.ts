import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadChunk } from '../platform/load-chunk.ts'
import { loadIntegration } from './load-integration.ts'

const currentLoginManagePage = () => loadChunk(() => import('./CurrentLoginManageRoute.tsx'))
const loginLogPage = () => loadChunk(() => import('../features/records/LoginLogPage.tsx'))
const visitLogPage = () => loadChunk(() => import('../features/records/VisitLogPage.tsx'))
const messageLogPage = () => loadIntegration(() => import('../features/records/MessageLogPage.tsx'))
const logInsightsPage = () => loadChunk(() => import('./LogInsightsRoute.tsx'))
const logStreamsPage = () => loadIntegration(() => import('./LogStreamsRoute.tsx'))
const page = { belong: 'manage', isManage: true, icon: 'profile', parentName: 'manage-menu.logs' } as const
const ofEverybody = { ...page, administrators: 'all' } as const

/** The log centre: current logins, logins, visits, messages, insights, and streams to other systems. */
export const logRoutes = <Manage extends AnyRoute>(manage: Manage) =>
  [
    createRoute({
      getParentRoute: () => manage,
      path: '/current-login-manage',
      staticData: { ...page, title: 'current-login-manage.title' },
      component: lazyRouteComponent(currentLoginManagePage, 'CurrentLoginManageRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/login-log',
      staticData: { ...ofEverybody, title: 'login-log.title' },
      component: lazyRouteComponent(loginLogPage, 'LoginLogPage'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/app-visit-log',
      staticData: { ...ofEverybody, title: 'app-visit-log.title' },
      component: lazyRouteComponent(visitLogPage, 'VisitLogPage'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/message-log',
      staticData: { ...ofEverybody, title: 'message-log.title' },
      component: lazyRouteComponent(messageLogPage, 'MessageLogPage'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/log-insights',
      staticData: { ...ofEverybody, title: 'log-insights.title' },
      component: lazyRouteComponent(logInsightsPage, 'LogInsightsRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/log-streams',
      staticData: { ...page, title: 'log-streams.title' },
      component: lazyRouteComponent(logStreamsPage, 'LogStreamsRoute'),
    }),
  ] as const
