import type { ReferenceDataCalls } from '#shared/contract/reference-data.ts'
import type { TableKey } from '#shared/contract/tables.ts'

/** One of the three lists of words that people and organisations are filed under. */
export type ReferenceList = {
  calls: ReferenceDataCalls
  key: TableKey & ('org-attribute' | 'user-category' | 'user-feature')
  /** The filter of the list of people; absent: organisations are filed under it. */
  filter?: 'categoryId' | 'personnelNatureId'
}

/** Where those who are filed under an entry are listed. */
export const membersLink = (filter: ReferenceList['filter'], id: string) =>
  filter
    ? ({ to: '/manage/organization', search: { [filter]: id } as never } as const)
    : ({ to: '/manage/org-attribute', search: { open: id } as never } as const)
