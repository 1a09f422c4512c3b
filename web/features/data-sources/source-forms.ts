import type { SourceOptions } from '#shared/contract/data-source-options.ts'
import type { DataSourceFields, DataSourceKind } from '#shared/contract/data-sources.ts'

/** What a form asks for, besides name, kind and note. */
export type SourceField = Exclude<keyof DataSourceFields, 'name' | 'kind' | 'note' | 'options'> | keyof SourceOptions

const DATABASE = ['host', 'port', 'database', 'user', 'password', 'tls', 'ca', 'timeoutSeconds'] as const
const LDAP = [
  ...['host', 'port', 'database', 'user', 'password', 'tls', 'startTls', 'ca'],
  ...['peopleFilter', 'departmentFilter', 'columns', 'timeoutSeconds'],
] as SourceField[]

type SourceForm = {
  fields: readonly SourceField[]
  /** The usual port; empty: it has none. */
  port: string
  /** What some of its fields are called there: part of their message keys. */
  words?: string
  /** What stands in an empty field. */
  examples?: Partial<Record<SourceField, string>>
}

export const SOURCE_FORMS: Record<DataSourceKind, SourceForm> = {
  postgresql: { fields: DATABASE, port: '5432' },
  mysql: { fields: DATABASE, port: '3306' },
  ldap: {
    fields: LDAP,
    port: '636',
    words: 'ldap',
    examples: {
      database: 'dc=school,dc=example',
      user: 'cn=reader,dc=school,dc=example',
      peopleFilter: '(objectClass=person)',
      departmentFilter: '(objectClass=organizationalUnit)',
    },
  },
  ad: {
    fields: LDAP,
    port: '636',
    words: 'ldap',
    examples: {
      database: 'DC=school,DC=example',
      user: 'gatehouse@school.example',
      peopleFilter: '(&(objectCategory=person)(objectClass=user))',
      departmentFilter: '(objectCategory=organizationalUnit)',
    },
  },
  'csv-upload': { fields: [], port: '' },
}

type Shown = Pick<DataSourceFields, 'tls'> & { options: SourceOptions }

/** A field that says nothing for what is chosen in others is left out. */
export function isAsked(field: SourceField, { tls }: Shown): boolean {
  if (field === 'startTls') return tls !== 'off'
  if (field === 'ca') return tls === 'verify'
  return true
}
