import { type OrganizationFound, searchOrganizations } from '#shared/contract/organizations.ts'
import type { UserDetails } from '#shared/contract/users.ts'
import type { Picked } from '../../ui/Picker.tsx'

export type PersonDraft = {
  account: string
  name: string
  gender: UserDetails['gender']
  birthday: string
  idNumber: string
  organization: readonly Picked[]
  secondary: readonly Picked[]
  categoryId: string
  personnelNatureId: string
  phone: string
  mailbox: string
  alias: string
  validFrom: string | null
  validUntil: string | null
}

export const toPicked = ({ id, name, code, path }: OrganizationFound): Picked => ({
  id,
  label: name,
  hint: [...path.map((step) => step.name), code].join(' / '),
})
export const ORGANIZATIONS = { endpoint: searchOrganizations, query: { for: 'edit' }, toPicked }

export const pickedOf = (one: { id: string; name: string } | null): Picked[] =>
  one ? [{ id: one.id, label: one.name }] : []

export const draftOf = (person: UserDetails): PersonDraft => ({
  account: person.account,
  name: person.name,
  gender: person.gender,
  birthday: person.birthday ?? '',
  idNumber: '',
  organization: pickedOf(person.organization),
  secondary: person.secondaryOrganizations.flatMap(pickedOf),
  categoryId: person.category?.id ?? '',
  personnelNatureId: person.personnelNature?.id ?? '',
  phone: person.phone ?? '',
  mailbox: person.mailbox ?? '',
  alias: person.alias ?? '',
  validFrom: person.validFrom,
  validUntil: person.validUntil,
})

export const bodyOf = (draft: PersonDraft) => ({
  name: draft.name,
  gender: draft.gender,
  birthday: draft.birthday || null,
  organizationId: draft.organization[0]?.id ?? null,
  secondaryOrganizationIds: draft.secondary.map(({ id }) => id),
  categoryId: draft.categoryId || null,
  personnelNatureId: draft.personnelNatureId || null,
  phone: draft.phone || null,
  mailbox: draft.mailbox || null,
  alias: draft.alias || null,
  validFrom: draft.validFrom,
  validUntil: draft.validUntil,
  ...(draft.idNumber && { idNumber: draft.idNumber }),
})

export const EMPTY: PersonDraft = {
  account: '',
  name: '',
  gender: 'unknown',
  birthday: '',
  idNumber: '',
  organization: [],
  secondary: [],
  categoryId: '',
  personnelNatureId: '',
  phone: '',
  mailbox: '',
  alias: '',
  validFrom: null,
  validUntil: null,
}
