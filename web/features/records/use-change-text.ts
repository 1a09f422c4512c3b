import { useTranslation } from 'react-i18next'
import type { MaintenanceRecord } from '#shared/contract/records.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import { translateOr } from '../../platform/i18n.ts'

type Change = MaintenanceRecord['changes'][number]

/** The text of a change: "Phone: 138****0001 → 139****0002". */
export function useChangeText(): (change: Change) => string {
  const { t, i18n } = useTranslation()
  const shown = (field: Change['field'], value: string): string => {
    if (field === 'list') return translateOr(value, 'certification-record.title')
    if (/^\d{4}-\d\d-\d\dT.*Z$/.test(value)) return formatDateTime(new Date(value), i18n.language)
    if (value === 'true' || value === 'false') return t(value === 'true' ? 'records.yes' : 'records.no')
    return value
  }
  return ({ field, ...values }) => {
    const before = values.before === null ? null : shown(field, values.before)
    const after = values.after === null ? null : shown(field, values.after)
    const name = t(`audit-field.${field}`)
    if (before !== null && after !== null) return t('records.changed', { field: name, before, after })
    return after === null
      ? t('records.changed-from', { field: name, before })
      : t('records.changed-to', { field: name, after })
  }
}
