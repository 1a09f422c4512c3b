import { z } from 'zod'
import { Id, Language, Moment } from './endpoint.ts'
import { LoginPageLink } from './login-page.ts'
import { resourceCalls } from './resource-calls.ts'

export const MAX_ANNOUNCEMENTS = 200
export const MAX_ANNOUNCEMENT_TITLE = 80
export const MAX_ANNOUNCEMENT_TEXT = 2000

/** Plain text, never interpreted as HTML. */
export const AnnouncementFields = z.strictObject({
  /** A missing language falls back to another. */
  titles: z
    .record(Language, z.string().trim().min(1).max(MAX_ANNOUNCEMENT_TITLE))
    .refine((titles) => Object.keys(titles).length > 0, { params: { reason: 'no-text' } }),
  texts: z.record(Language, z.string().trim().min(1).max(MAX_ANNOUNCEMENT_TEXT)).default({}),
  /** A link to details. */
  url: LoginPageLink.shape.url.nullable().default(null),
  shownFrom: Moment.nullable().default(null),
  shownUntil: Moment.nullable().default(null),
  /** Codes of user categories. None here and below: for everybody. */
  categories: z.array(z.string().min(1).max(100)).max(100).default([]),
  /** Each with everything below it; secondary departments count too. */
  organizations: z.array(Id).max(100).default([]),
})

/** Current, future or past. */
export const ANNOUNCEMENT_STATES = ['shown', 'coming', 'over'] as const
const AnnouncementState = z.enum(ANNOUNCEMENT_STATES)

const Announcement = AnnouncementFields.extend({
  id: Id,
  version: z.number().int(),
  /** The title in the caller's language. */
  name: z.string(),
  state: AnnouncementState,
  /** Names of the organisations. */
  organizationNames: z.record(Id, z.string()),
  updatedAt: z.iso.datetime(),
})
export type Announcement = z.infer<typeof Announcement>

export const announcements = resourceCalls({
  path: '/announcement',
  one: 'an announcement',
  many: 'announcements',
  searched: 'part of a title',
  fields: AnnouncementFields,
  row: Announcement,
  filters: { state: AnnouncementState.optional() },
  sorts: ['-updatedAt', 'updatedAt'],
  errors: ['announcement.too-many', 'announcement.bad-period', 'announcement.text-without-title'],
})
