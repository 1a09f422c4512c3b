import type { SourceOptions } from '#shared/contract/data-source-options.ts'
import { splitColumns } from '../counted-rows.service.ts'
import { SourceFault } from '../data-source.types.ts'

/** A directory has no tables; these stand for its kinds of entries. */
export const LDAP_TABLES = ['people', 'departments', 'groups'] as const
export type LdapTable = (typeof LDAP_TABLES)[number]
export type LdapFlavour = 'ldap' | 'ad'

export const DEFAULT_FILTERS: Record<LdapFlavour, Record<LdapTable, string>> = {
  ldap: {
    people: '(objectClass=person)',
    departments: '(objectClass=organizationalUnit)',
    groups: '(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=posixGroup))',
  },
  ad: {
    // `objectCategory` is indexed there; computers have the class user as well.
    people: '(&(objectCategory=person)(objectClass=user))',
    departments: '(objectCategory=organizationalUnit)',
    groups: '(objectCategory=group)',
  },
}

/** @throws SourceFault `no-table`. */
export function tableOf(table: string): LdapTable {
  const found = LDAP_TABLES.find((one) => one === table)
  if (!found) throw new SourceFault('no-table', table)
  return found
}

export function filterOf(flavour: LdapFlavour, table: LdapTable, options: SourceOptions): string {
  const own = { people: options.peopleFilter, departments: options.departmentFilter, groups: '' }[table]
  return own || DEFAULT_FILTERS[flavour][table]
}

/** Derived from others, not attributes of their own. */
export const DERIVED = ['dn', 'parentDn', 'enabled', 'primaryGroup'] as const

/** Always listed, even if none of the first entries has them: a column must not come and go with whoever is read first. */
const COLUMNS: Record<LdapFlavour, Record<LdapTable, string>> = {
  ldap: {
    people:
      'entryUUID uid cn sn givenName displayName mail mobile telephoneNumber employeeNumber employeeType departmentNumber ou title ' +
      'memberOf createTimestamp modifyTimestamp',
    departments: 'entryUUID ou description businessCategory modifyTimestamp',
    groups: 'entryUUID cn description member modifyTimestamp',
  },
  ad: {
    people:
      'objectGUID sAMAccountName enabled displayName cn sn givenName userPrincipalName mail mobile telephoneNumber employeeID ' +
      'employeeNumber employeeType department company title manager memberOf primaryGroup accountExpires objectSid whenCreated whenChanged',
    departments: 'objectGUID ou name description managedBy whenChanged',
    groups: 'objectGUID cn sAMAccountName description member objectSid whenChanged',
  },
}

export const columnsOf = (flavour: LdapFlavour, table: LdapTable, typed: string): string[] => [
  ...COLUMNS[flavour][table].split(' '),
  ...['dn', 'parentDn'],
  ...splitColumns(typed).filter((name) => /^[a-z][a-z0-9;-]*$/i.test(name)),
]
