export { OrgSyncDetailPage } from './OrgSyncDetailPage.tsx'
export { OrgSyncPage } from './OrgSyncPage.tsx'
