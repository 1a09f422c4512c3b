import type { CustomField } from '#shared/contract/custom-fields.ts'
import { customName, isCustomName } from '#shared/contract/field-rules.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import type { AuditInput } from '../records/index.ts'
import type { PersonValues, ValueField } from './save-users.types.ts'

/** The name for an id in a person's values. */
export type NameLookup = (id: string) => string

type AuditFormats = { [Field in ValueField]?: (values: PersonValues, nameOf: NameLookup) => [string, unknown] }

const toNameEntry = (key: string, id: string | null, nameOf: NameLookup): [string, unknown] => [key, id && nameOf(id)]

/** Departments are recorded with their ids beside the names: not everybody who manages a person may read the names of all of them. */
const ORGANIZATION_FIELDS: readonly ValueField[] = ['organizationId', 'secondaryOrganizationIds']

/** How a value is recorded; fields not listed are only recorded as changed. */
const AUDIT_FORMATS: AuditFormats = {
  name: ({ name }) => ['name', name],
  nickname: ({ nickname }) => ['nickname', nickname],
  gender: ({ gender }) => ['gender', gender],
  birthday: ({ birthday }) => ['birthday', birthday],
  organizationId: ({ organizationId }, nameOf) => toNameEntry('organization', organizationId, nameOf),
  categoryId: ({ categoryId }, nameOf) => toNameEntry('category', categoryId, nameOf),
  personnelTypeId: ({ personnelTypeId }, nameOf) => toNameEntry('personnelType', personnelTypeId, nameOf),
  secondaryOrganizationIds: ({ secondaryOrganizationIds }, nameOf) => [
    'secondaryOrganizations',
    secondaryOrganizationIds.map(nameOf),
  ],
  phone: ({ phone }) => ['phone', phone && maskPhone(phone)],
  mailbox: ({ mailbox }) => ['mailbox', mailbox && maskMailbox(mailbox)],
  alias: ({ alias }) => ['alias', alias],
  enabled: ({ enabled }) => ['enabled', enabled],
  validFrom: ({ validFrom }) => ['validFrom', validFrom],
  validUntil: ({ validUntil }) => ['validUntil', validUntil],
}

type AuditWords = { nameOf: NameLookup; custom: readonly CustomField[] }

/** Is the value recorded, or only that it changed? */
const isTold = (field: ValueField, custom: readonly CustomField[]): boolean =>
  isCustomName(field)
    ? custom.some(({ key, isSensitive }) => customName(key) === field && !isSensitive)
    : AUDIT_FORMATS[field] !== undefined

function toAuditValues(
  values: PersonValues,
  fields: readonly ValueField[],
  { nameOf, custom }: AuditWords,
): Record<string, unknown> {
  const entries = fields
    .filter((field) => isTold(field, custom))
    .map((field) => AUDIT_FORMATS[field]?.(values, nameOf) ?? [field, values[field] ?? null])
  const ids = fields.filter((field) => ORGANIZATION_FIELDS.includes(field)).map((field) => [field, values[field]])
  return Object.fromEntries([...entries, ...ids])
}

type WrittenPerson = {
  id: string
  account: string
  before: PersonValues | null
  after: PersonValues
  changed: readonly ValueField[]
}

/** The audit record of a person who was created or changed. */
export function toAuditLine(
  { id, account, before, after, changed }: WrittenPerson,
  words: AuditWords,
  reason?: string,
): AuditInput {
  const target = { targetKind: 'user', targetId: id, ...(reason && { reason }) }
  if (!before) {
    const given = changed.filter((field) => after[field] !== null)
    return { action: 'account.create', ...target, after: { account, ...toAuditValues(after, given, words) } }
  }
  const hidden = changed.filter((field) => !isTold(field, words.custom))
  return {
    action: 'account.update',
    ...target,
    before: { account, ...toAuditValues(before, changed, words) },
    after: { account, ...toAuditValues(after, changed, words), ...(hidden.length > 0 && { changed: hidden }) },
  }
}
