import { organizationAttributes, userCategories, userFeatures } from '#shared/contract/vocabularies.ts'
import { VocabularyPage } from './VocabularyPage.tsx'

export const OrgAttributePage = () => (
  <VocabularyPage vocabulary={{ calls: organizationAttributes, key: 'org-attribute' }} />
)

export const UserCategoryPage = () => (
  <VocabularyPage vocabulary={{ calls: userCategories, key: 'user-category', filter: 'categoryId' }} />
)

export const UserFeaturePage = () => (
  <VocabularyPage vocabulary={{ calls: userFeatures, key: 'user-feature', filter: 'personnelNatureId' }} />
)
