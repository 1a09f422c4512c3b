import { z } from 'zod'
import { GrantState } from './application-grants.ts'
import { Done, get, Id, ListQuery, pageOf, post } from './endpoint.ts'

/** An application as its users see it. */
export const MyApplication = z.object({
  appId: z.string(),
  /** In the caller's language, as all texts here. */
  name: z.string(),
  description: z.string(),
  /** A path on this server; null: use the initials. */
  picture: z.string().nullable(),
  url: z.string(),
  /** 1 enabled, 0 disabled; disabled ones are listed only among a subject's grants. */
  state: z.union([z.literal(0), z.literal(1)]),
  categoryId: Id.nullable(),
  categoryName: z.string().nullable(),
  /** When this person last opened it. */
  visitedAt: z.iso.datetime().nullable(),
  /** For searching in the browser: lower-case names, full pinyin and its initials. */
  keywords: z.array(z.string()),
  /** With `memberId`: how it was granted. */
  grant: z
    .object({
      state: GrantState,
      validFrom: z.iso.datetime().nullable(),
      validUntil: z.iso.datetime().nullable(),
      grantedAt: z.iso.datetime().nullable(),
      grantedBy: z.string().nullable(),
      /** Open to everybody, with or without the grant. */
      openToAll: z.boolean(),
      version: z.number().int(),
    })
    .optional(),
})
export type MyApplication = z.infer<typeof MyApplication>

export const listMyApplications = get(
  '/user_information/{id}/app/',
  'user',
  ListQuery.extend({
    id: Id,
    /**
     * A role, organisation, category or person: their direct grants, including disabled and expired ones. For super
     * users, and for administrators of the person or organisation; one's own id changes nothing.
     */
    memberId: Id.optional(),
    categoryId: Id.optional(),
    /** A category including those below it. */
    pcategoryId: Id.optional(),
  }),
  pageOf(MyApplication),
  {
    summary: 'The applications a person may open; with `memberId`, those granted to a subject',
    errors: ['permission.denied', 'application-grant.member-not-found', 'list.too-deep'],
  },
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
