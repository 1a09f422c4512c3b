import type { CustomField } from '#shared/contract/custom-fields.ts'
import type { UserDetails } from '#shared/contract/users.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import { toIso } from '../../platform/iso-time.ts'
import type { Context } from '../../platform/platform.ts'
import { inScope, mayManage } from '../access/index.ts'
import { customFields } from '../account-fields/index.ts'
import { type FieldOwner, listFieldOwners } from '../field-authority/index.ts'
import { userErrors as errors } from '../user-accounts/index.ts'
import { type DetailsRow, findDetails } from './details.store.ts'
import { toExemption, toPersonStates, toPlannedFreeze } from './person-states.store.ts'

/** @throws Refusal `user.not-found` for an unknown person or one out of scope. */
export async function getPersonDetails(ctx: Context, id: string): Promise<UserDetails> {
  const { db } = ctx
  const row = await findDetails(db, {
    id,
    language: ctx.client.language,
    now: ctx.now(),
    inScope: inScope(ctx, db`u.organization_id`),
    ancestorInScope: inScope(ctx, db`a.id`),
    secondaryInScope: inScope(ctx, db`s.id`),
    mayEdit: mayManage(ctx, 'edit'),
    mayUnlock: mayManage(ctx, 'unlock'),
    mayReset: mayManage(ctx, 'reset'),
  })
  if (!row) throw errors['user.not-found']()
  const owners = (await listFieldOwners(db, [id])).get(id) ?? []
  return toDetails(row, { fields: await customFields(ctx), owners, now: ctx.now() })
}

/** Values of existing fields only; sensitive ones only if the caller may change the person. */
export const shownValues = (
  values: Readonly<Record<string, string>> | null,
  fields: readonly CustomField[],
  mayEdit: boolean,
): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap(({ key, isSensitive }) => {
      const value = values?.[key]
      return value !== undefined && (mayEdit || !isSensitive) ? [[key, value]] : []
    }),
  )

type Known = { fields: readonly CustomField[]; owners: readonly FieldOwner[]; now: Date }

function toDetails(row: DetailsRow, { fields, owners, now }: Known): UserDetails {
  const { mayEdit, mayUnlock, mayReset } = row
  return {
    id: row.id,
    account: row.account,
    name: row.name,
    nickname: row.nickname,
    gender: row.gender,
    birthday: row.birthday,
    hasIdNumber: row.hasIdNumber,
    organization: row.organization,
    organizationPath: row.organizationPath,
    secondaryOrganizations: row.secondaryOrganizations,
    category: row.category,
    personnelType: row.personnelType,
    roles: row.roles,
    phone: row.phone && (mayEdit ? row.phone : maskPhone(row.phone)),
    mailbox: row.mailbox && (mayEdit ? row.mailbox : maskMailbox(row.mailbox)),
    alias: row.alias,
    custom: shownValues(row.customValues, fields, mayEdit),
    isSuperUser: row.isSuperUser,
    hasPassword: row.hasPassword,
    validFrom: toIso(row.validFrom),
    validUntil: toIso(row.validUntil),
    states: toPersonStates(row, now),
    plannedFreeze: toPlannedFreeze(row, now),
    lastLoginAt: toIso(row.lastLoginAt),
    dormancyExemption: toExemption(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    deletedAt: toIso(row.deletedAt),
    fieldOwners: owners.map(({ since, ...owner }) => ({ ...owner, since: toIso(since) })),
    may: { edit: mayEdit, unlock: mayUnlock, reset: mayReset },
    version: row.version,
  }
}
