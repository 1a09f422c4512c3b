import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { loadChunk } from '../platform/load-chunk.ts'
import { BareLayout } from './BareLayout.tsx'
import { NoPermissionPage, NotFoundPage } from './ErrorPages.tsx'
import { ForgotPasswordRoute } from './ForgotPasswordRoute.tsx'
import { HomeLayout } from './HomeLayout.tsx'
import { MyApps } from './MyApps.tsx'
import { manageRoutes } from './manage-routes.ts'
import { root } from './root-route.ts'

/**
 * The route table of the home area; manage-routes.ts has the back office. Titles are message keys; menus are built from
 * the table.
 */
const home = createRoute({ getParentRoute: () => root, id: 'home', component: HomeLayout })
const start = createRoute({
  getParentRoute: () => home,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/my-apps', replace: true })
  },
})
const myApps = createRoute({
  getParentRoute: () => home,
  path: '/my-apps',
  staticData: { title: 'my-apps.title', icon: 'apps', belong: 'home' },
  // The most visited page: bundled with the shell, it costs least.
  component: MyApps,
})
const records = createRoute({
  getParentRoute: () => home,
  path: '/certification-record',
  beforeLoad: () => {
    throw redirect({ to: '/certification-record/current-login', replace: true })
  },
})
const currentLogin = createRoute({
  getParentRoute: () => home,
  path: '/certification-record/current-login',
  staticData: {
    title: 'current-login.title',
    icon: 'record',
    belong: 'home',
    parentName: 'certification-record.title',
  },
  component: lazyRouteComponent(
    () => loadChunk(() => import('../features/sessions/CurrentLoginPage.tsx')),
    'CurrentLoginPage',
  ),
})
const accountSecurity = createRoute({
  getParentRoute: () => home,
  path: '/account-security',
  beforeLoad: () => {
    throw redirect({ to: '/account-security/set-account', replace: true })
  },
})
const setAccount = createRoute({
  getParentRoute: () => home,
  path: '/account-security/set-account',
  staticData: {
    title: 'set-account.title',
    icon: 'safety-certificate',
    belong: 'home',
    parentName: 'account-security.title',
  },
  component: lazyRouteComponent(() => loadChunk(() => import('./SetAccount.tsx')), 'SetAccount'),
})
const twoStep = createRoute({
  getParentRoute: () => home,
  path: '/account-security/two-step',
  staticData: {
    title: 'two-step.title',
    icon: 'safety-certificate',
    belong: 'home',
    parentName: 'account-security.title',
  },
  component: lazyRouteComponent(
    () => loadChunk(() => import('../features/second-factors/TwoStepPage.tsx')),
    'TwoStepPage',
  ),
})
const thirdPartyAccount = createRoute({
  getParentRoute: () => home,
  path: '/account-security/third-party-account',
  staticData: {
    title: 'third-party-account.title',
    icon: 'safety-certificate',
    belong: 'home',
    parentName: 'account-security.title',
  },
  component: lazyRouteComponent(
    () => loadChunk(() => import('../features/third-party-accounts/ThirdPartyAccountPage.tsx')),
    'ThirdPartyAccountPage',
  ),
})
const modifyPassword = createRoute({
  getParentRoute: () => home,
  path: '/modify-password',
  staticData: { title: 'modify-password.title', parentName: 'account-security.title' },
  component: lazyRouteComponent(
    () => loadChunk(() => import('../features/account-security/ModifyPasswordPage.tsx')),
    'ModifyPasswordPage',
  ),
})
const recordPage = { icon: 'record', belong: 'home', parentName: 'certification-record.title' } as const
const authenticationRecords = createRoute({
  getParentRoute: () => home,
  path: '/certification-record/account',
  staticData: { ...recordPage, title: 'my-authentication.title' },
  component: lazyRouteComponent(
    () => loadChunk(() => import('../features/records/AuthenticationPage.tsx')),
    'AuthenticationPage',
  ),
})
const passwordRecords = createRoute({
  getParentRoute: () => home,
  path: '/certification-record/password',
  staticData: { ...recordPage, title: 'my-password.title' },
  component: lazyRouteComponent(
    () => loadChunk(() => import('../features/records/MaintenancePages.tsx')),
    'PasswordMaintenancePage',
  ),
})
const maintenanceRecords = createRoute({
  getParentRoute: () => home,
  path: '/certification-record/account-maintenance',
  staticData: { ...recordPage, title: 'my-maintenance.title' },
  component: lazyRouteComponent(
    () => loadChunk(() => import('../features/records/MaintenancePages.tsx')),
    'AccountMaintenancePage',
  ),
})
const visitRecords = createRoute({
  getParentRoute: () => home,
  path: '/certification-record/application',
  staticData: { ...recordPage, title: 'my-visits.title' },
  component: lazyRouteComponent(() => loadChunk(() => import('../features/records/VisitsPage.tsx')), 'VisitsPage'),
})
const allowedApplications = createRoute({
  getParentRoute: () => home,
  path: '/account-security/allowed-applications',
  staticData: {
    title: 'allowed-applications.title',
    icon: 'apps',
    belong: 'home',
    parentName: 'account-security.title',
  },
  component: lazyRouteComponent(
    () => loadChunk(() => import('../features/consents/AllowedApplicationsPage.tsx')),
    'AllowedApplicationsPage',
  ),
})
const personalData = createRoute({
  getParentRoute: () => home,
  path: '/personal-data',
  staticData: { title: 'personal-data.title', icon: 'user', belong: 'home' },
  component: lazyRouteComponent(
    () => loadChunk(() => import('../features/profile/PersonalDataPage.tsx')),
    'PersonalDataPage',
  ),
})

const mailbox = createRoute({
  getParentRoute: () => home,
  path: '/mailbox',
  staticData: { title: 'my-mailbox.title' },
  component: lazyRouteComponent(
    () => loadChunk(() => import('../features/corporate-mailbox/OpenMailboxPage.tsx')),
    'OpenMailboxPage',
  ),
})

const bare = createRoute({ getParentRoute: () => root, id: 'bare', component: BareLayout })
const forgotPassword = createRoute({
  getParentRoute: () => bare,
  path: '/forgot-password',
  staticData: { title: 'set-password.title' },
  component: ForgotPasswordRoute,
})
const forgotPasswordSuccess = createRoute({
  getParentRoute: () => bare,
  path: '/forgot-password-success',
  staticData: { title: 'recovered.title' },
  // Without a recovery in progress, go to its start.
  beforeLoad: ({ location }) => {
    if (!location.state.recovered) throw redirect({ to: '/forgot-password', search: location.search, replace: true })
  },
  component: lazyRouteComponent(
    () => loadChunk(() => import('../features/password-recovery/RecoveredPage.tsx')),
    'RecoveredPage',
  ),
})
const setUpFactor = createRoute({
  getParentRoute: () => bare,
  path: '/second-factor',
  staticData: { title: 'two-step.title' },
  component: lazyRouteComponent(
    () => loadChunk(() => import('../features/second-factors/SetUpFactorPage.tsx')),
    'SetUpFactorPage',
  ),
})
const completeProfile = createRoute({
  getParentRoute: () => bare,
  path: '/complete-profile',
  staticData: { title: 'complete-profile.title' },
  component: lazyRouteComponent(() => loadChunk(() => import('./CompleteProfile.tsx')), 'CompleteProfile'),
})
const activation = createRoute({
  getParentRoute: () => bare,
  path: '/activation',
  staticData: { title: 'activation.title' },
  component: lazyRouteComponent(
    () => loadChunk(() => import('../features/activation/ActivationPage.tsx')),
    'ActivationPage',
  ),
})
const setup = createRoute({
  getParentRoute: () => bare,
  path: '/setup',
  staticData: { title: 'setup.title' },
  component: lazyRouteComponent(() => loadChunk(() => import('../features/setup/SetupPage.tsx')), 'SetupPage'),
})
const outbox = createRoute({
  getParentRoute: () => bare,
  path: '/outbox',
  staticData: { title: 'outbox.title' },
  component: lazyRouteComponent(() => loadChunk(() => import('../features/messages/OutboxPage.tsx')), 'OutboxPage'),
})
const noPermission = createRoute({
  getParentRoute: () => root,
  path: '/401',
  staticData: { title: 'no-permission.title' },
  component: NoPermissionPage,
})
const notFound = createRoute({
  getParentRoute: () => root,
  path: '/404',
  staticData: { title: 'not-found.title' },
  component: NotFoundPage,
})

export const routeTree = root.addChildren([
  home.addChildren([
    start,
    myApps,
    accountSecurity,
    setAccount,
    twoStep,
    thirdPartyAccount,
    modifyPassword,
    records,
    currentLogin,
    authenticationRecords,
    passwordRecords,
    maintenanceRecords,
    visitRecords,
    allowedApplications,
    personalData,
    mailbox,
  ]),
  bare.addChildren([activation, setUpFactor, completeProfile, forgotPassword, forgotPasswordSuccess, outbox, setup]),
  noPermission,
  notFound,
  manageRoutes,
])
