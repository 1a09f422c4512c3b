export { BookSyncDetailPage } from './BookSyncDetailPage.tsx'
export { BookSyncPage } from './BookSyncPage.tsx'
export { OrgSyncDetailPage } from './OrgSyncDetailPage.tsx'
export { OrgSyncPage } from './OrgSyncPage.tsx'
