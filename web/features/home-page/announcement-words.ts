import type { TFunction } from 'i18next'
import type { Announcement } from '#shared/contract/announcements.ts'
import type { ConflictWords } from '../../ui/ConflictNotice.tsx'

const COMPARED = ['titles', 'texts', 'url', 'shownFrom', 'shownUntil', 'categories', 'organizations'] as const

/** Labels of an announcement, for what somebody else changed. */
export const announcementWords = (t: TFunction): ConflictWords<Announcement> => ({
  labels: Object.fromEntries(COMPARED.map((field) => [field, t(`audit-field.${field}`)])),
})
