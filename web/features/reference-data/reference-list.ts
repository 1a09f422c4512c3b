import type { ReferenceDataCalls } from '#shared/contract/reference-data.ts'
import type { TableKey } from '#shared/contract/tables.ts'

/** One of the three reference data lists. */
export type ReferenceList = {
  calls: ReferenceDataCalls
  key: TableKey & ('org-attribute' | 'user-category' | 'user-feature')
  /** The filter of the list of people; absent: the entries are for organisations. */
  filter?: 'categoryId' | 'personnelTypeId'
}

/** A link to the people or organisations with an entry. */
export const membersLink = (filter: ReferenceList['filter'], id: string) =>
  filter
    ? ({ to: '/manage/organization', search: { [filter]: id } as never } as const)
    : ({ to: '/manage/org-attribute', search: { open: id } as never } as const)
