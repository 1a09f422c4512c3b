import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listPersonFields, type ShownCustomField } from '#shared/contract/custom-fields.ts'
import { type CustomFieldName, isCustomName, keyOfCustom } from '#shared/contract/field-rules.ts'
import type { ImportField } from '#shared/contract/user-imports.ts'
import { call } from '../platform/api.ts'

function usePersonFields() {
  const { i18n } = useTranslation()
  const { data } = useQuery({
    queryKey: ['person-fields', i18n.language],
    queryFn: ({ signal }) => call(listPersonFields, {}, { signal }),
  })
  return data
}

/** The custom fields, as columns of a file. */
export const useCustomColumns = (): readonly ShownCustomField[] => usePersonFields()?.custom ?? []

/** Have they arrived? Until then one that is missing may still exist. */
const useHasCustomColumns = (): boolean => usePersonFields() !== undefined

/** The label of a custom field, which may have been deleted. */
export function useCustomLabel(): (name: CustomFieldName) => string {
  const { t } = useTranslation()
  const custom = useCustomColumns()
  const isLoaded = useHasCustomColumns()
  return (name) => {
    const key = keyOfCustom(name)
    return custom.find((one) => one.name === name)?.label ?? (isLoaded ? t('custom-field.deleted', { key }) : key)
  }
}

/** The label of the field that a column fills. */
export function useColumnLabel(): (field: ImportField) => string {
  const { t } = useTranslation()
  const customLabel = useCustomLabel()
  return (field) => (isCustomName(field) ? customLabel(field) : t(`import-field.${field}`))
}
