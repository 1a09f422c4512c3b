import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { loadMessages } from '../platform/i18n.ts'
import { loadChunk } from '../platform/load-chunk.ts'
import { appearanceRoutes } from './appearance-routes.ts'
import { ManageNotFoundPage } from './ErrorPages.tsx'
import { loadIntegration } from './load-integration.ts'
import { logRoutes } from './log-routes.ts'
import { promptRoutes } from './prompt-routes.ts'
import { root } from './root-route.ts'
import { securityRoutes } from './security-routes.ts'
import { vendorRoutes } from './vendor-routes.ts'

/** The route table of the back office, in menu order. */
const manage = createRoute({
  getParentRoute: () => root,
  path: '/manage',
  staticData: { title: 'shell.manage', isManage: true, administrators: 'all' },
  component: lazyRouteComponent(async () => {
    const [layout] = await Promise.all([loadChunk(() => import('./ManageLayout.tsx')), loadMessages('office')])
    return layout
  }, 'ManageLayout'),
})
const start = createRoute({
  getParentRoute: () => manage,
  path: '/',
  staticData: { administrators: 'all' },
  beforeLoad: () => {
    throw redirect({ to: '/manage/organization', replace: true })
  },
})
const page = { belong: 'manage', isManage: true } as const
const ofUsers = { ...page, icon: 'solution', parentName: 'manage-menu.users' } as const
const organization = createRoute({
  getParentRoute: () => manage,
  path: '/organization',
  staticData: { ...ofUsers, title: 'organization.title', icon: 'cluster', administrators: 'all' },
  component: lazyRouteComponent(() => loadChunk(() => import('./OrganizationPage.tsx')), 'OrganizationPage'),
})
const referenceLists = () => loadChunk(() => import('../features/reference-data/ReferenceListPages.tsx'))
const userCategory = createRoute({
  getParentRoute: () => manage,
  path: '/user-category',
  staticData: { ...ofUsers, title: 'user-category.title' },
  component: lazyRouteComponent(referenceLists, 'UserCategoryPage'),
})
const orgAttribute = createRoute({
  getParentRoute: () => manage,
  path: '/org-attribute',
  staticData: { ...ofUsers, title: 'org-attribute.title' },
  component: lazyRouteComponent(referenceLists, 'OrgAttributePage'),
})
const userFeature = createRoute({
  getParentRoute: () => manage,
  path: '/user-feature',
  staticData: { ...ofUsers, title: 'user-feature.title' },
  component: lazyRouteComponent(referenceLists, 'UserFeaturePage'),
})
const directorySyncs = () => loadIntegration(() => import('../features/directory-syncs/OrgSyncPages.tsx'))
const orgSync = createRoute({
  getParentRoute: () => manage,
  path: '/org-sync',
  staticData: { ...page, title: 'directory-sync.title', icon: 'cluster', parentName: 'manage-menu.users' },
  component: lazyRouteComponent(directorySyncs, 'OrgSyncPage'),
})
/** Their addresses name a sync; without one there is only the list. */
const needsSync = ({ search }: { search: { sync?: string } }) => {
  if (!search.sync) throw redirect({ to: '/manage/org-sync', replace: true })
}
const ofSyncs = { ...page, isSub: true, parentName: 'directory-sync.title', parentPath: '/manage/org-sync' } as const
const orgSyncDetail = createRoute({
  getParentRoute: () => manage,
  path: '/org-sync-detail',
  staticData: { ...ofSyncs, title: 'directory-sync.runs' },
  beforeLoad: needsSync,
  component: lazyRouteComponent(directorySyncs, 'OrgSyncDetailPage'),
})
const agencySyncEdit = createRoute({
  getParentRoute: () => manage,
  path: '/agency-sync-edit',
  staticData: { ...ofSyncs, title: 'directory-sync.edit' },
  beforeLoad: needsSync,
  component: lazyRouteComponent(directorySyncs, 'AgencySyncEditPage'),
})
const exterPhoneSync = createRoute({
  getParentRoute: () => manage,
  path: '/exterPhone-sync',
  staticData: { ...page, title: 'book-sync.title', icon: 'cluster', parentName: 'manage-menu.users' },
  component: lazyRouteComponent(directorySyncs, 'BookSyncPage'),
})
const exterPhoneSyncDetail = createRoute({
  getParentRoute: () => manage,
  path: '/exterPhone-sync/$id',
  staticData: {
    ...page,
    isSub: true,
    title: 'directory-sync.runs',
    parentName: 'book-sync.title',
    parentPath: '/manage/exterPhone-sync',
  },
  component: lazyRouteComponent(directorySyncs, 'BookSyncDetailPage'),
})
const home = createRoute({
  getParentRoute: () => manage,
  path: '/home',
  staticData: { ...page, title: 'overview.title', icon: 'home' },
  component: lazyRouteComponent(() => loadChunk(() => import('../features/overview/OverviewPage.tsx')), 'OverviewPage'),
})
const apiManagePage = () => loadChunk(() => import('../features/api-registry/ApiManagePage.tsx'))
const apiManage = createRoute({
  getParentRoute: () => manage,
  path: '/api-manage',
  staticData: { ...page, title: 'api-manage.title', icon: 'solution', parentName: 'manage-menu.applications' },
  component: lazyRouteComponent(apiManagePage, 'ApiManagePage'),
})
const applicationManagePage = () => loadChunk(() => import('../features/application-manage/ApplicationManagePage.tsx'))
const applicationManage = createRoute({
  getParentRoute: () => manage,
  path: '/application-manage',
  staticData: { ...page, title: 'application-manage.title', icon: 'apps', parentName: 'manage-menu.applications' },
  component: lazyRouteComponent(applicationManagePage, 'ApplicationManagePage'),
})
/** Not in the menu: reached from the list of applications. */
const ofApplications = {
  isManage: true,
  parentName: 'application-manage.title',
  parentPath: '/manage/application-manage',
} as const
const applicationGuidePage = () => loadChunk(() => import('../features/application-manage/ApplicationGuidePage.tsx'))
const applicationGuide = createRoute({
  getParentRoute: () => manage,
  path: '/application-manage/new',
  staticData: { ...ofApplications, title: 'application-guide.title' },
  component: lazyRouteComponent(applicationGuidePage, 'ApplicationGuidePage'),
})
const serviceImportPage = () => loadChunk(() => import('../features/application-manage/ServiceImportPage.tsx'))
const serviceImport = createRoute({
  getParentRoute: () => manage,
  path: '/application-manage/import',
  staticData: { ...ofApplications, title: 'service-import.title' },
  component: lazyRouteComponent(serviceImportPage, 'ServiceImportPage'),
})
const applicationDetail = createRoute({
  getParentRoute: () => manage,
  path: '/application-manage/detail-set/$id',
  staticData: { ...ofApplications, title: 'application-detail.title' },
  component: lazyRouteComponent(() => loadChunk(() => import('./ApplicationDetailPage.tsx')), 'ApplicationDetailPage'),
})
const roleManage = createRoute({
  getParentRoute: () => manage,
  path: '/role-manage',
  staticData: { ...ofUsers, title: 'role-manage.title' },
  component: lazyRouteComponent(() => loadChunk(() => import('./RoleManageRoute.tsx')), 'RoleManageRoute'),
})
const applicationGrantsPage = () => loadChunk(() => import('../features/application-grants/ApplicationGrantsPage.tsx'))
const applicationGrants = createRoute({
  getParentRoute: () => manage,
  path: '/application-grants',
  staticData: {
    ...page,
    title: 'grant.title',
    icon: 'safety-certificate',
    parentName: 'manage-menu.applications',
    administrators: 'all',
  },
  component: lazyRouteComponent(applicationGrantsPage, 'ApplicationGrantsPage'),
})
const administratorManagePage = () => loadChunk(() => import('../features/administrators/AdministratorManagePage.tsx'))
const administratorManage = createRoute({
  getParentRoute: () => manage,
  path: '/administrator-manage',
  staticData: { ...ofUsers, title: 'administrator-manage.title', icon: 'safety-certificate' },
  component: lazyRouteComponent(administratorManagePage, 'AdministratorManagePage'),
})
const languageList = createRoute({
  getParentRoute: () => manage,
  path: '/language-list',
  staticData: { ...page, title: 'language-list.title', icon: 'globe', parentName: 'manage-menu.system' },
  component: lazyRouteComponent(() => loadChunk(() => import('./LanguageListRoute.tsx')), 'LanguageListRoute'),
})
const systemSettings = createRoute({
  getParentRoute: () => manage,
  path: '/system-settings',
  staticData: { ...page, title: 'system-settings.title', icon: 'manage', parentName: 'manage-menu.system' },
  component: lazyRouteComponent(() => loadChunk(() => import('./SystemSettingsRoute.tsx')), 'SystemSettingsRoute'),
})
const externalDataSource = createRoute({
  getParentRoute: () => manage,
  path: '/external-data-source',
  staticData: { ...page, title: 'data-source.title', icon: 'cluster', parentName: 'manage-menu.system' },
  component: lazyRouteComponent(() => loadIntegration(() => import('./DataSourcesRoute.tsx')), 'DataSourcesRoute'),
})
const scimClients = createRoute({
  getParentRoute: () => manage,
  path: '/scim-clients',
  staticData: { ...page, title: 'scim-client.title', icon: 'cluster', parentName: 'manage-menu.system' },
  component: lazyRouteComponent(() => loadIntegration(() => import('./ScimClientsRoute.tsx')), 'ScimClientsRoute'),
})
// It has the changes of those pages, too, in their words.
const changeHistoryPage = () => loadIntegration(() => import('../features/change-history/ChangeHistoryPage.tsx'))
const changeHistory = createRoute({
  getParentRoute: () => manage,
  path: '/change-history',
  staticData: { ...page, title: 'change-history.title', icon: 'record', parentName: 'manage-menu.system' },
  component: lazyRouteComponent(changeHistoryPage, 'ChangeHistoryPage'),
})

const userImport = createRoute({
  getParentRoute: () => manage,
  path: '/organization/import',
  staticData: {
    ...page,
    title: 'import.title',
    isSub: true,
    administrators: 'import',
    parentName: 'organization.title',
    parentPath: '/manage/organization',
  },
  component: lazyRouteComponent(() => loadChunk(() => import('./UserImportRoute.tsx')), 'UserImportRoute'),
})

/** An unknown address in the back office keeps the menu. */
const notFound = createRoute({
  getParentRoute: () => manage,
  path: '/$',
  staticData: { isManage: true, title: 'not-found.title', administrators: 'all' },
  component: ManageNotFoundPage,
})

export const manageRoutes = manage.addChildren([
  userImport,
  start,
  home,
  organization,
  userCategory,
  orgAttribute,
  userFeature,
  orgSync,
  orgSyncDetail,
  agencySyncEdit,
  exterPhoneSync,
  exterPhoneSyncDetail,
  roleManage,
  administratorManage,
  applicationManage,
  applicationGuide,
  serviceImport,
  applicationDetail,
  applicationGrants,
  apiManage,
  ...securityRoutes(manage),
  ...logRoutes(manage),
  ...appearanceRoutes(manage),
  ...promptRoutes(manage),
  languageList,
  ...vendorRoutes(manage),
  systemSettings,
  externalDataSource,
  scimClients,
  changeHistory,
  notFound,
])
