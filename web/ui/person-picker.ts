import { listUsers, type UserRow } from '#shared/contract/users.ts'
import type { PickerOption } from './Picker.tsx'

const toOption = ({ id, name, account, organization }: UserRow): PickerOption => ({
  id,
  label: `${name} (${account})`,
  hint: organization?.name,
})

/** Search and labels for a `Picker` of people: names may repeat, so the account is added. */
export const PERSON_PICKER = { endpoint: listUsers, toOption }
