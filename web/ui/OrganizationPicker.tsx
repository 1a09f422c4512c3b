import { type OrganizationFound, searchOrganizations } from '#shared/contract/organizations.ts'
import { Picker, type PickerOption } from './Picker.tsx'

type Props = {
  label: string
  value: readonly PickerOption[]
  onChange: (value: PickerOption[]) => void
  name?: string
  hint?: string
  error?: string | undefined
  isOptional?: boolean
  /** What is to move: neither it nor what is below it can take it. */
  outside?: string
}

const toOption = ({ id, name, code, path }: OrganizationFound): PickerOption => ({
  id,
  label: name,
  hint: [...path.map((step) => step.name), code].join(' / '),
})

/** One of the organisations that the person may put something into. */
export const OrganizationPicker = ({ outside, ...props }: Props) => (
  <Picker
    {...props}
    endpoint={searchOrganizations}
    query={{ for: 'edit', ...(outside && { outside }) }}
    toOption={toOption}
  />
)
