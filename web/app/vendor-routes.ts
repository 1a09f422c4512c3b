import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadIntegration } from './load-integration.ts'

const messagePage = () => loadIntegration(() => import('./MessageRoutesRoute.tsx'))
const mailboxPage = () => loadIntegration(() => import('./CorporateMailboxRoute.tsx'))
const vendorPages = () => loadIntegration(() => import('./VendorRoutes.tsx'))
const page = { belong: 'manage', isManage: true, icon: 'smile', parentName: 'manage-menu.integrations' } as const

/** The integration centre: external systems for logins, messages and mailboxes. */
export const vendorRoutes = <Manage extends AnyRoute>(manage: Manage) =>
  [
    createRoute({
      getParentRoute: () => manage,
      path: '/qywx',
      staticData: { ...page, title: 'vendor.qywx' },
      component: lazyRouteComponent(vendorPages, 'QywxRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/dingding',
      staticData: { ...page, title: 'vendor.dingding' },
      component: lazyRouteComponent(vendorPages, 'DingdingRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/weixin',
      staticData: { ...page, title: 'vendor.weChat' },
      component: lazyRouteComponent(vendorPages, 'WeixinRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/qq',
      staticData: { ...page, title: 'vendor.qq' },
      component: lazyRouteComponent(vendorPages, 'QqRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/auth-edu',
      staticData: { ...page, title: 'vendor.auth-edu' },
      component: lazyRouteComponent(vendorPages, 'AuthEduRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/message',
      staticData: { ...page, icon: 'mail', title: 'message-route.title' },
      component: lazyRouteComponent(messagePage, 'MessageRoutesRoute'),
    }),
    createRoute({
      getParentRoute: () => manage,
      path: '/email',
      staticData: { ...page, icon: 'mail', title: 'corporate-mailbox.title' },
      component: lazyRouteComponent(mailboxPage, 'CorporateMailboxRoute'),
    }),
  ] as const
