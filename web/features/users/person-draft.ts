import { type OrganizationFound, searchOrganizations } from '#shared/contract/organizations.ts'
import type { UserDetails } from '#shared/contract/users.ts'
import type { PickerOption } from '../../ui/Picker.tsx'

export type PersonDraft = {
  account: string
  name: string
  gender: UserDetails['gender']
  birthday: string
  idNumber: string
  organization: readonly PickerOption[]
  secondary: readonly PickerOption[]
  categoryId: string
  personnelTypeId: string
  phone: string
  mailbox: string
  alias: string
  validFrom: string | null
  validUntil: string | null
  /** Values of custom fields, by key. */
  custom: Record<string, string>
}

export const toOption = ({ id, name, code, path }: OrganizationFound): PickerOption => ({
  id,
  label: name,
  hint: [...path.map((step) => step.name), code].join(' / '),
})
export const ORGANIZATION_PICKER = { endpoint: searchOrganizations, query: { for: 'edit' }, toOption }

export const pickedOf = (one: { id: string; name: string } | null): PickerOption[] =>
  one ? [{ id: one.id, label: one.name }] : []

export const toDraft = (person: UserDetails): PersonDraft => ({
  account: person.account,
  name: person.name,
  gender: person.gender,
  birthday: person.birthday ?? '',
  idNumber: '',
  organization: pickedOf(person.organization),
  secondary: person.secondaryOrganizations.flatMap(pickedOf),
  categoryId: person.category?.id ?? '',
  personnelTypeId: person.personnelType?.id ?? '',
  phone: person.phone ?? '',
  mailbox: person.mailbox ?? '',
  alias: person.alias ?? '',
  validFrom: person.validFrom,
  validUntil: person.validUntil,
  custom: person.custom,
})

export const toBody = (draft: PersonDraft) => ({
  name: draft.name,
  gender: draft.gender,
  birthday: draft.birthday || null,
  organizationId: draft.organization[0]?.id ?? null,
  secondaryOrganizationIds: draft.secondary.map(({ id }) => id),
  categoryId: draft.categoryId || null,
  personnelTypeId: draft.personnelTypeId || null,
  phone: draft.phone || null,
  mailbox: draft.mailbox || null,
  alias: draft.alias || null,
  validFrom: draft.validFrom,
  validUntil: draft.validUntil,
  custom: Object.fromEntries(Object.entries(draft.custom).map(([key, value]) => [key, value || null])),
  ...(draft.idNumber && { idNumber: draft.idNumber }),
})

export const EMPTY_DRAFT: PersonDraft = {
  account: '',
  name: '',
  gender: 'unknown',
  birthday: '',
  idNumber: '',
  organization: [],
  secondary: [],
  categoryId: '',
  personnelTypeId: '',
  phone: '',
  mailbox: '',
  alias: '',
  validFrom: null,
  validUntil: null,
  custom: {},
}
