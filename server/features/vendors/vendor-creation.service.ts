import { PersonCreation } from '#shared/contract/created-people.ts'
import type { Vendor } from '#shared/contract/vendors.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'
import { findCreationNames } from './vendors.store.ts'

/** The settings for creating people, flat as in the form. */
export type CreationFields = Pick<
  Vendor,
  'createOrganizationId' | 'createCategoryId' | 'createState' | 'createValidDays'
>

export const toCreation = (given: CreationFields): PersonCreation => ({
  organizationId: given.createOrganizationId,
  categoryId: given.createCategoryId,
  state: given.createState,
  validDays: given.createValidDays,
})

export function toCreationFields(stored: Partial<PersonCreation>): CreationFields {
  const { organizationId, categoryId, state, validDays } = PersonCreation.parse(stored)
  return {
    createOrganizationId: organizationId,
    createCategoryId: categoryId,
    createState: state,
    createValidDays: validDays,
  }
}

/** The same with the names of what is chosen. */
export async function describeCreation(ctx: Context, stored: Partial<PersonCreation>) {
  const fields = toCreationFields(stored)
  const { organization, category } = await findCreationNames(ctx.db, toCreation(fields), ctx.client.language)
  return { ...fields, createOrganization: organization, createCategory: category }
}

/** @throws Refusal `request.invalid` by field if there is no such organisation or category. */
export async function requireCreation(ctx: Context, given: CreationFields): Promise<PersonCreation> {
  const creation = toCreation(given)
  const { organization, category } = await findCreationNames(ctx.db, creation, ctx.client.language)
  const missing = [
    ...(given.createOrganizationId !== null && organization === null ? ['createOrganizationId'] : []),
    ...(given.createCategoryId !== null && category === null ? ['createCategoryId'] : []),
  ]
  const reason = ctx.translate(ctx.client.language, 'person-problem.unknown')
  const fields = missing.map((field) => ({ field, reason }))
  if (fields[0]) throw common['request.invalid']({ params: fields[0], data: { fields } })
  return creation
}
