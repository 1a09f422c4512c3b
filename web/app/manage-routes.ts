import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { loadChunk } from '../platform/chunk.ts'
import { root } from './root-route.ts'

/** The URL table of the back office: its pages in the order of the menu. */
const manage = createRoute({
  getParentRoute: () => root,
  path: '/manage',
  staticData: { title: 'shell.manage', isManage: true, administrators: 'all' },
  component: lazyRouteComponent(() => loadChunk(() => import('./ManageLayout.tsx')), 'ManageLayout'),
})
const start = createRoute({
  getParentRoute: () => manage,
  path: '/',
  staticData: { administrators: 'all' },
  beforeLoad: () => {
    // The organisations take this place when their page exists.
    throw redirect({ to: '/manage/current-login-manage', replace: true })
  },
})
const page = { belong: 'manage', isManage: true } as const
const currentLoginManage = createRoute({
  getParentRoute: () => manage,
  path: '/current-login-manage',
  staticData: { ...page, title: 'current-login-manage.title', icon: 'profile', parentName: 'manage-menu.logs' },
  component: lazyRouteComponent(
    () => loadChunk(() => import('../features/sessions/CurrentLoginManagePage.tsx')),
    'CurrentLoginManagePage',
  ),
})

const administratorManage = createRoute({
  getParentRoute: () => manage,
  path: '/administrator-manage',
  staticData: {
    ...page,
    title: 'administrator-manage.title',
    icon: 'safety-certificate',
    parentName: 'manage-menu.users',
  },
  component: lazyRouteComponent(
    () => loadChunk(() => import('../features/administrators/AdministratorManagePage.tsx')),
    'AdministratorManagePage',
  ),
})
const changeHistory = createRoute({
  getParentRoute: () => manage,
  path: '/change-history',
  staticData: { ...page, title: 'change-history.title', icon: 'record', parentName: 'manage-menu.system' },
  component: lazyRouteComponent(
    () => loadChunk(() => import('../features/change-history/ChangeHistoryPage.tsx')),
    'ChangeHistoryPage',
  ),
})

export const manageRoutes = manage.addChildren([start, administratorManage, currentLoginManage, changeHistory])
