import { organizationAttributes, userCategories, userFeatures } from '#shared/contract/reference-data.ts'
import { ReferenceListPage } from './ReferenceListPage.tsx'

export const OrgAttributePage = () => (
  <ReferenceListPage list={{ calls: organizationAttributes, key: 'org-attribute' }} />
)

export const UserCategoryPage = () => (
  <ReferenceListPage list={{ calls: userCategories, key: 'user-category', filter: 'categoryId' }} />
)

export const UserFeaturePage = () => (
  <ReferenceListPage list={{ calls: userFeatures, key: 'user-feature', filter: 'personnelTypeId' }} />
)
