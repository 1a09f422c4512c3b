import { listUsers, type UserRow } from '#shared/contract/users.ts'
import type { PickerOption } from './Picker.tsx'

const toOption = ({ id, name, account, organization }: UserRow): PickerOption => ({
  id,
  label: `${name} (${account})`,
  hint: organization?.name,
})

/** What a `Picker` of people asks and shows: names are often shared, so each has the number beside it. */
export const PERSON_PICKER = { endpoint: listUsers, toOption }
