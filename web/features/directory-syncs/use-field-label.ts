import { useTranslation } from 'react-i18next'
import { isCustomName } from '#shared/contract/field-rules.ts'
import { useCustomLabel } from '../../ui/use-custom-columns.ts'

/** The name of a field of a row; custom fields have their own names. */
export function useFieldLabel(): (field: string, isOfDepartment: boolean) => string {
  const { t, i18n } = useTranslation()
  const customLabel = useCustomLabel()
  return (field, isOfDepartment) => {
    if (isCustomName(field)) return customLabel(field)
    if (field === 'name' && !isOfDepartment) return t('person-field.name')
    return i18n.exists(`sync-field.${field}`) ? t(`sync-field.${field}` as 'sync-field.name') : field
  }
}
