import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listUserCategoryOptions, type ReferenceEntry, userCategories } from '#shared/contract/reference-data.ts'
import { call } from '../platform/api.ts'
import { Picker } from './Picker.tsx'

const STALE_AFTER_MS = 60_000

/** Names of user categories by code; an unknown code is its own name. */
export function useCategoryNames(): (code: string) => string {
  const { i18n } = useTranslation()
  const { data } = useQuery({
    queryKey: ['user-category', 'options', i18n.language],
    queryFn: ({ signal }) => call(listUserCategoryOptions, {}, { signal }),
    staleTime: STALE_AFTER_MS,
  })
  return (code) => data?.records.find((one) => one.code === code)?.name ?? code
}

type Props = {
  label: string
  name: string
  hint?: string
  placeholder?: string
  /** Codes of the chosen categories. */
  value: readonly string[]
  onChange: (codes: string[]) => void
}

/** Chooses user categories. */
export function CategoryPicker({ value, onChange, ...props }: Props) {
  const nameOf = useCategoryNames()
  return (
    <Picker<ReferenceEntry>
      {...props}
      multiple
      isOptional
      endpoint={userCategories.list}
      toOption={({ code, shownName }) => ({ id: code, label: shownName, hint: code })}
      value={value.map((code) => ({ id: code, label: nameOf(code) }))}
      onChange={(options) => onChange(options.map(({ id }) => id))}
    />
  )
}
