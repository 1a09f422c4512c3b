import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import type { Audit } from '../records/index.ts'
import type { PersonValues, ValueField } from './save-users.types.ts'

/** What the ids in a person's values stand for. */
export type NameOf = (id: string) => string

type Shown = { [Field in ValueField]?: (values: PersonValues, nameOf: NameOf) => [string, unknown] }

const named = (key: string, id: string | null, nameOf: NameOf): [string, unknown] => [key, id && nameOf(id)]

/** Of departments the ids stand beside the names: not everybody who looks after a person may read the names of all of them. */
const PLACES: readonly ValueField[] = ['organizationId', 'secondaryOrganizationIds']

/** How a value stands in the records; what is missing is only said to have changed. */
const SHOWN: Shown = {
  name: ({ name }) => ['name', name],
  nickname: ({ nickname }) => ['nickname', nickname],
  gender: ({ gender }) => ['gender', gender],
  birthday: ({ birthday }) => ['birthday', birthday],
  organizationId: ({ organizationId }, nameOf) => named('organization', organizationId, nameOf),
  categoryId: ({ categoryId }, nameOf) => named('category', categoryId, nameOf),
  personnelNatureId: ({ personnelNatureId }, nameOf) => named('personnelNature', personnelNatureId, nameOf),
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

function shown(values: PersonValues, fields: readonly ValueField[], nameOf: NameOf): Record<string, unknown> {
  const told = fields.flatMap((field) => (SHOWN[field] ? [SHOWN[field](values, nameOf)] : []))
  const ids = fields.filter((field) => PLACES.includes(field)).map((field) => [field, values[field]])
  return Object.fromEntries([...told, ...ids])
}

type Written = {
  id: string
  account: string
  before: PersonValues | null
  after: PersonValues
  changed: readonly ValueField[]
}

/** The line about somebody who was created or changed. */
export function auditOf({ id, account, before, after, changed }: Written, nameOf: NameOf, reason?: string): Audit {
  const target = { targetKind: 'user', targetId: id, ...(reason && { reason }) }
  if (!before) {
    const given = changed.filter((field) => after[field] !== null)
    return { action: 'account.create', ...target, after: { account, ...shown(after, given, nameOf) } }
  }
  const hidden = changed.filter((field) => !SHOWN[field])
  return {
    action: 'account.update',
    ...target,
    before: { account, ...shown(before, changed, nameOf) },
    after: { account, ...shown(after, changed, nameOf), ...(hidden.length > 0 && { changed: hidden }) },
  }
}
