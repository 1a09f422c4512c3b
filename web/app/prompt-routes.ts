import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { loadChunk } from '../platform/load-chunk.ts'

const promptPages = () => loadChunk(() => import('./PromptRoutes.tsx'))
const page = { belong: 'manage', isManage: true, icon: 'notification', parentName: 'manage-menu.prompts' } as const

/** User prompts: texts of the busiest screens, edited next to the screen itself. */
export const promptRoutes = <Manage extends AnyRoute>(manage: Manage) =>
  [
    createRoute({
      getParentRoute: () => manage,
      path: '/tip-edit',
      beforeLoad: () => {
        throw redirect({ to: '/manage/tip-edit/account-login', replace: true })
      },
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/tip-edit/account-login',
      staticData: { ...page, title: 'prompt-page.account-login' },
      component: lazyRouteComponent(promptPages, 'AccountLoginRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/tip-edit/account-error',
      staticData: { ...page, title: 'prompt-page.account-error' },
      component: lazyRouteComponent(promptPages, 'AccountErrorRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/tip-edit/dynamicCode-login',
      staticData: { ...page, title: 'prompt-page.dynamicCode-login' },
      component: lazyRouteComponent(promptPages, 'DynamicCodeLoginRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/tip-edit/get-password',
      staticData: { ...page, title: 'prompt-page.get-password' },
      component: lazyRouteComponent(promptPages, 'GetPasswordRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/tip-edit/account-activate',
      staticData: { ...page, title: 'prompt-page.account-activate' },
      component: lazyRouteComponent(promptPages, 'AccountActivateRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/tip-edit/userData-add',
      staticData: { ...page, title: 'prompt-page.userData-add' },
      component: lazyRouteComponent(promptPages, 'UserDataAddRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/tip-edit/phone-bind',
      staticData: { ...page, title: 'prompt-page.phone-bind' },
      component: lazyRouteComponent(promptPages, 'PhoneBindRoute'),
    }),
  ] as const
