import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import type { AuditInput } from '../records/index.ts'
import type { UserPlan } from './bootstrap-users.service.ts'
import type { UserRow } from './users.store.ts'

/** Recorded with their values, phone and mailbox masked. */
const RECORDED_VALUES = {
  name: ({ name }) => name,
  nickname: ({ nickname }) => nickname,
  gender: ({ gender }) => gender,
  birthday: ({ birthday }) => birthday,
  phone: ({ phone }) => phone && maskPhone(phone),
  mailbox: ({ mailbox }) => mailbox && maskMailbox(mailbox),
  alias: ({ alias }) => alias,
  isSuperUser: ({ isSuperUser }) => isSuperUser,
  enabled: ({ enabled }) => enabled,
} satisfies Partial<Record<keyof UserRow, (row: UserRow) => unknown>>

/** Recorded only as changed. */
const RECORDED_NAMES = ['idNumber', 'categoryId', 'personnelTypeId', 'organizationId', 'roleIds'] as const

/** One audit record per person whom the document creates or changes. */
export function toAuditRecords({ inserted, updated, former }: UserPlan): AuditInput[] {
  const line = (action: string, { id }: UserRow, change: Pick<AuditInput, 'before' | 'after'>): AuditInput => ({
    action,
    targetKind: 'user',
    targetId: id,
    actor: 'bootstrap',
    ...change,
  })
  return [
    ...inserted.map((row) => line('account.create', row, { after: { account: row.account } })),
    ...updated.map((row) => line('account.update', row, toChange(former.get(row.account), row))),
  ]
}

function toChange(before: UserRow | undefined, after: UserRow): Pick<AuditInput, 'before' | 'after'> {
  if (!before) return {}
  const differs = (field: keyof UserRow) => JSON.stringify(before[field]) !== JSON.stringify(after[field])
  const shown = Object.entries(RECORDED_VALUES).filter(([field]) => differs(field as keyof typeof RECORDED_VALUES))
  const values = (row: UserRow) => Object.fromEntries(shown.map(([field, tell]) => [field, tell(row)]))
  return { before: values(before), after: { ...values(after), changed: RECORDED_NAMES.filter(differs) } }
}
