import { useTranslation } from 'react-i18next'
import { isCustomName, keyOfCustom } from '#shared/contract/field-rules.ts'
import { useCustomColumns, useHasCustomColumns } from '../../ui/use-custom-columns.ts'

/** The name of a field of a row; custom fields have their own names. */
export function useFieldLabel(): (field: string, isOfDepartment: boolean) => string {
  const { t, i18n } = useTranslation()
  const custom = useCustomColumns()
  const isLoaded = useHasCustomColumns()
  return (field, isOfDepartment) => {
    if (isCustomName(field)) {
      const key = keyOfCustom(field)
      const label = custom.find(({ name }) => name === field)?.label
      return label ?? (isLoaded ? t('directory-sync.deleted-field', { key }) : key)
    }
    if (field === 'name' && !isOfDepartment) return t('person-field.name')
    return i18n.exists(`sync-field.${field}`) ? t(`sync-field.${field}` as 'sync-field.name') : field
  }
}
