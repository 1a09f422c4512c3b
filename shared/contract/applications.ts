import { z } from 'zod'
import { Done, get, Id, ListQuery, pageOf, post } from './endpoint.ts'

/** An application as its people see it. */
export const MyApplication = z.object({
  appId: z.string(),
  /** In the caller's language, as everything readable here. */
  name: z.string(),
  description: z.string(),
  /** An address of our own; null: the initials stand in. */
  picture: z.string().nullable(),
  url: z.string(),
  /** 1 enabled; disabled applications are not listed. */
  state: z.literal(1),
  categoryId: Id.nullable(),
  categoryName: z.string().nullable(),
  /** When this person last opened it. */
  visitedAt: z.iso.datetime().nullable(),
  /** Lower-case names, full pinyin and its initials: what a search in the browser matches. */
  keywords: z.array(z.string()),
})
export type MyApplication = z.infer<typeof MyApplication>

export const listMyApplications = get(
  '/user_information/{id}/app/',
  'user',
  ListQuery.extend({
    id: Id,
    /** Asks for another member's applications; super users only. */
    memberId: Id.optional(),
    categoryId: Id.optional(),
    /** Categories have one level today, so the parent means the category itself. */
    pcategoryId: Id.optional(),
  }),
  pageOf(MyApplication),
  { summary: 'The applications a person may open', errors: ['permission.denied'] },
)

export const saveAppVisit = post(
  '/app_visit/save/',
  'user',
  z.strictObject({ appId: z.string().min(1).max(100) }),
  Done,
  {
    summary: 'Record that I open an application from the portal',
    errors: ['application.not-available'],
  },
)
