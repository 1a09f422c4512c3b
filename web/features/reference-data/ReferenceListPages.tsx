import { organizationAttributes, userCategories, userFeatures } from '#shared/contract/reference-data.ts'
import { ReferenceListPage } from './ReferenceListPage.tsx'

export const OrgAttributePage = () => (
  <ReferenceListPage vocabulary={{ calls: organizationAttributes, key: 'org-attribute' }} />
)

export const UserCategoryPage = () => (
  <ReferenceListPage vocabulary={{ calls: userCategories, key: 'user-category', filter: 'categoryId' }} />
)

export const UserFeaturePage = () => (
  <ReferenceListPage vocabulary={{ calls: userFeatures, key: 'user-feature', filter: 'personnelNatureId' }} />
)
