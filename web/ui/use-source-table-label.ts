import { useTranslation } from 'react-i18next'
import { type DataSourceKind, isDatabase } from '#shared/contract/data-sources.ts'

/** Labels of a source's tables: those of a database have the institution's own names. */
export function useSourceTableLabel(): (kind: DataSourceKind, table: string) => string {
  const { t } = useTranslation()
  return (kind, table) => (isDatabase(kind) ? table : t(`data-source.table-name.${table}`, table))
}
