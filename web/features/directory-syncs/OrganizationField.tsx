import { useQuery } from '@tanstack/react-query'
import { organizationDetails } from '#shared/contract/organizations.ts'
import { call } from '../../platform/api.ts'
import { OrganizationPicker } from '../../ui/OrganizationPicker.tsx'

type Props = {
  label: string
  hint?: string
  /** Its name in the contract. */
  name?: string
  isOptional?: boolean
  /** Its id; empty: none. */
  value: string
  onChange: (id: string) => void
}

/** Selects a department by id, and looks up its name. */
export function OrganizationField({ value: id, onChange, ...props }: Props) {
  const details = useQuery({
    queryKey: ['organization', id],
    queryFn: ({ signal }) => call(organizationDetails, { query: { id } }, { signal }),
    enabled: id !== '',
  })
  return (
    <OrganizationPicker
      {...props}
      value={id === '' ? [] : [{ id, label: details.data?.name ?? id }]}
      onChange={([chosen]) => onChange(chosen?.id ?? '')}
    />
  )
}
