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
  /** The organisation being moved: it and its descendants can't be the target. */
  outside?: string
}

const toOption = ({ id, name, code, path }: OrganizationFound): PickerOption => ({
  id,
  label: name,
  hint: [...path.map((step) => step.name), code].join(' / '),
})

/** Chooses an organisation that the person may add things to. */
export const OrganizationPicker = ({ outside, ...props }: Props) => (
  <Picker
    {...props}
    endpoint={searchOrganizations}
    query={{ for: 'edit', ...(outside && { outside }) }}
    toOption={toOption}
  />
)
