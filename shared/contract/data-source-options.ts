import { z } from 'zod'

const text = (most: number) => z.string().trim().max(most).default('')

/** What a source has besides host, user and password; a kind keeps those that `OPTIONS_OF` names and no others. */
export const SourceOptions = z.strictObject({
  /** LDAP: encryption begins on the plain port, before anybody logs in; otherwise from the first byte on. */
  startTls: z.boolean().default(false),
  /** LDAP: who is read as people, as departments; empty: the usual of the kind. */
  peopleFilter: text(1000),
  departmentFilter: text(1000),
  /** Columns besides those that are found by themselves, separated by commas or spaces. */
  columns: text(2000),
})
export type SourceOptions = z.output<typeof SourceOptions>

export const NO_OPTIONS: SourceOptions = SourceOptions.parse({})

const LDAP = ['startTls', 'peopleFilter', 'departmentFilter', 'columns'] as const

/** What of the options each kind has. */
export const OPTIONS_OF = {
  postgresql: [],
  mysql: [],
  ldap: LDAP,
  ad: LDAP,
  'csv-upload': [],
} as const satisfies Record<string, readonly (keyof SourceOptions)[]>
