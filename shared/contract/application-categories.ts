import { z } from 'zod'
import { ApplicationName, CategoryCode, Names } from './application-fields.ts'
import { Done, Empty, get, Id, post } from './endpoint.ts'

const CategoryPath = z.strictObject({ id: Id })

export const ApplicationCategory = z.object({
  id: Id,
  code: z.string(),
  name: z.string(),
  names: Names,
  parentId: Id.nullable(),
  position: z.number().int(),
  applications: z.number().int(),
})
export type ApplicationCategory = z.infer<typeof ApplicationCategory>

export const listApplicationCategories = get(
  '/application_category/query/',
  'superUser',
  Empty,
  z.object({ records: z.array(ApplicationCategory), total: z.number().int() }),
  { summary: 'The categories of applications in their order, at most 1,000' },
)

const CategoryFields = z.strictObject({
  name: ApplicationName,
  names: Names.default({}),
  parentId: Id.nullable().default(null),
  position: z.int().min(0).max(1_000_000).default(0),
})

export const createApplicationCategory = post(
  '/application_category/create/',
  'superUser',
  CategoryFields.extend({ code: CategoryCode }),
  z.object({ id: Id }),
  {
    summary: 'Create a category of applications',
    errors: ['application-category.code-taken', 'application-category.not-found', 'application-category.too-many'],
  },
)

export const updateApplicationCategory = post('/application_category/{id}/update/', 'superUser', CategoryFields, Done, {
  query: CategoryPath,
  summary: 'Rename, move or reorder a category of applications',
  errors: ['application-category.not-found', 'application-category.cycle'],
})

export const moveApplicationCategory = post(
  '/application_category/{id}/move/',
  'superUser',
  z.strictObject({
    /** Null: at the top. */
    parentId: Id.nullable(),
    /** After this one; null: first. */
    after: Id.nullable(),
  }),
  Done,
  {
    query: CategoryPath,
    summary: 'Move a category of applications to another position',
    errors: ['application-category.not-found', 'application-category.cycle'],
  },
)

export const deleteApplicationCategory = post('/application_category/{id}/delete/', 'superUser', Empty, Done, {
  query: CategoryPath,
  summary: 'Delete a category; its applications and sub-categories move up to its parent',
  errors: ['application-category.not-found'],
})
