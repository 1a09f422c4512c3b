import { z } from 'zod'
import { Done, get, Id, ListQuery, pageOf, post } from './endpoint.ts'
import { Code, EntryName, EntryNames } from './organizations.ts'

/** A reference data entry of people or organisations. */
export const ReferenceEntry = z.object({
  id: Id,
  code: z.string(),
  /** In the caller's language. */
  shownName: z.string(),
  name: z.string(),
  names: EntryNames,
  position: z.number().int(),
  version: z.number().int(),
  /** Number of people or organisations with it. */
  uses: z.number().int(),
})
export type ReferenceEntry = z.infer<typeof ReferenceEntry>

const Version = z.number().int().min(1)
const EntryPath = z.strictObject({ id: Id })
const SORTS = ['position', '-position', 'code', '-code', 'uses', '-uses'] as const

function referenceDataCalls(base: string, noun: string) {
  return {
    list: get(
      `${base}/query/`,
      'superUser',
      ListQuery.extend({ sort: z.enum(SORTS).default('position') }),
      pageOf(ReferenceEntry),
      {
        summary: `${noun}, with how often each is used; \`search\`: part of a name or code`,
        errors: ['list.too-deep'],
      },
    ),
    options: get(
      `${base}/options/`,
      'administrator',
      z.strictObject({}),
      z.object({ records: z.array(z.object({ id: Id, code: z.string(), name: z.string() })) }),
      { summary: `${noun} to choose from, in order` },
    ),
    details: get(`${base}/{id}/details/`, 'superUser', EntryPath, ReferenceEntry, {
      summary: `One of: ${noun}`,
      errors: ['reference-data.not-found'],
    }),
    create: post(
      `${base}/create/`,
      'superUser',
      z.strictObject({ code: Code, name: EntryName, names: EntryNames.default({}) }),
      ReferenceEntry,
      { summary: `Create, as the last one: ${noun}`, errors: ['reference-data.code-taken'] },
    ),
    update: post(
      `${base}/{id}/update/`,
      'superUser',
      z.strictObject({ version: Version, name: EntryName.optional(), names: EntryNames.optional() }),
      ReferenceEntry,
      { summary: `Rename: ${noun}`, query: EntryPath, errors: ['reference-data.not-found', 'version.conflict'] },
    ),
    move: post(
      `${base}/{id}/move/`,
      'superUser',
      // After this one; null: first.
      z.strictObject({ after: Id.nullable() }),
      ReferenceEntry,
      { summary: `Change the order: ${noun}`, query: EntryPath, errors: ['reference-data.not-found'] },
    ),
    remove: post(`${base}/{id}/delete/`, 'superUser', z.strictObject({ version: Version }), Done, {
      summary: `Delete what is not used: ${noun}`,
      query: EntryPath,
      errors: ['reference-data.not-found', 'reference-data.in-use', 'access-rule.names-it', 'version.conflict'],
    }),
  }
}

/** Department attributes: teaching, administration, research … */
export const organizationAttributes = referenceDataCalls('/org_attribute', 'department attributes')
/** Student, staff, alumni … */
export const userCategories = referenceDataCalls('/user_category', 'user categories')
/** Personnel types: on the staff, on contract, visiting … */
export const userFeatures = referenceDataCalls('/user_feature', 'personnel types')

export type ReferenceDataCalls = typeof organizationAttributes

export const listUserCategoryOptions = userCategories.options
export const listUserFeatureOptions = userFeatures.options
export const listOrganizationAttributeOptions = organizationAttributes.options
