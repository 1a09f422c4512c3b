import type { SearchEntry } from 'ldapts'
import { countRepeated, countRows, inBatches } from '../counted-rows.service.ts'
import { type OpenSource, type SourceColumn, SourceFault, type SourceSettings } from '../data-source.types.ts'
import { type LdapSession, openLdapSession } from './ldap-session.service.ts'
import { columnsOf, DERIVED, filterOf, LDAP_TABLES, type LdapFlavour, tableOf } from './ldap-tables.rules.ts'
import { attributeText, enabledText, parentDn, UNREAD_ATTRIBUTES } from './ldap-values.rules.ts'

/** Attributes by lower-case name, and the names as the server writes them. */
type Entry = { dn: string; names: string[]; values: Map<string, Buffer[]> }

/** Reads an LDAP directory or Active Directory below one base; never sends anything that could change it. @throws SourceFault. */
export async function openLdap(settings: SourceSettings, flavour: LdapFlavour): Promise<OpenSource> {
  const session = await openLdapSession(settings)
  const { database: base, options } = settings
  const directory: Directory = { session, base, flavour, groups: new Map() }
  const search = (table: string, attributes: string[], namesOnly = false) =>
    readEntries(directory, { filter: filterOf(flavour, tableOf(table), options), attributes, namesOnly })
  async function* rowsOf(table: string, columns: readonly string[]): AsyncGenerator<string[]> {
    for await (const entry of search(table, attributesFor(columns))) {
      const row: string[] = []
      for (const column of columns) row.push(await cellOf(directory, entry, column))
      yield row
    }
  }
  const read = (table: string, columns: readonly string[], most?: number) => inBatches(rowsOf(table, columns), most)
  try {
    const server = await describeServer(session, flavour)
    await checkBase(session, base)
    return {
      server,
      isEncrypted: session.isEncrypted,
      tables: async () => [...LDAP_TABLES],
      columns: (table) => findColumns(search(table, ['*'], true), columnsOf(flavour, tableOf(table), options.columns)),
      mayWrite: (table) => mayWrite(directory, filterOf(flavour, tableOf(table), options)),
      count: (table) => countRows(read(table, ['dn'])),
      repeated: (table, column) => countRepeated(read, table, column),
      read,
      close: session.close,
    }
  } catch (error) {
    await session.close()
    throw error
  }
}

type Directory = { session: LdapSession; base: string; flavour: LdapFlavour; groups: Map<string, Promise<string>> }

async function describeServer(session: LdapSession, flavour: LdapFlavour): Promise<string> {
  const attributes = ['vendorName', 'vendorVersion', 'dnsHostName']
  for await (const { entries } of session.search({ base: '', scope: 'base', filter: '(objectClass=*)', attributes })) {
    const texts = entries.flatMap((entry) => attributes.map((name) => textOf(toEntry(entry), name)))
    return [flavour === 'ad' ? 'Active Directory' : 'LDAP', ...texts].filter(Boolean).join(' ')
  }
  return 'LDAP'
}

/** Distinguishes a missing base from an empty one. @throws SourceFault `no-database`. */
async function checkBase(session: LdapSession, base: string): Promise<void> {
  let found = 0
  for await (const { entries } of session.search({
    base,
    scope: 'base',
    filter: '(objectClass=*)',
    attributes: ['1.1'],
  }))
    found += entries.length
  if (found === 0) throw new SourceFault('no-database', base)
}

const toEntry = ({ name, attributes }: SearchEntry): Entry => ({
  dn: name,
  names: attributes.map(({ type }) => type),
  values: new Map(attributes.map(({ type, parsedBuffers }) => [type.toLowerCase(), parsedBuffers])),
})

const textOf = (entry: Entry, name: string): string => attributeText(name, entry.values.get(name.toLowerCase()) ?? [])

type Search = { filter: string; attributes: string[]; namesOnly?: boolean }

async function* readEntries(
  { session, base, flavour }: Directory,
  { filter, attributes, namesOnly = false }: Search,
): AsyncGenerator<Entry> {
  for await (const { entries, references } of session.search({ base, scope: 'sub', filter, attributes, namesOnly })) {
    // Active Directory lists its other domains and its DNS zones as referrals at the root of each domain; from any other server a referral
    // means that people are elsewhere.
    if (references[0] !== undefined && flavour !== 'ad') throw new SourceFault('referral', references[0])
    for (const entry of entries) yield toEntry(entry)
  }
}

/** The attributes to request for the columns. */
function attributesFor(columns: readonly string[]): string[] {
  const names = columns.filter((name) => !(DERIVED as readonly string[]).includes(name))
  if (columns.includes('enabled')) names.push('userAccountControl')
  if (columns.includes('primaryGroup')) names.push('primaryGroupID', 'objectSid')
  return names.length === 0 ? ['1.1'] : [...new Set(names)]
}

async function cellOf(directory: Directory, entry: Entry, column: string): Promise<string> {
  if (column === 'dn') return entry.dn
  if (column === 'parentDn') return parentDn(entry.dn)
  if (column === 'enabled') return enabledText(textOf(entry, 'userAccountControl'))
  if (column === 'primaryGroup') return await primaryGroup(directory, entry)
  if (UNREAD_ATTRIBUTES.has(column.toLowerCase())) return ''
  return attributeText(column, await allValues(directory, entry, column))
}

const RANGE = /^(.+);range=(\d+)-(\d+|\*)$/

/** Values that arrive in ranges, as the members of a group with more than 1,500 do in Active Directory. @throws SourceFault. */
async function allValues(directory: Directory, { dn, values }: Entry, column: string): Promise<Buffer[]> {
  const name = column.toLowerCase()
  const plainValues = values.get(name) ?? []
  let part = [...values].find(([key]) => RANGE.exec(key)?.[1] === name)
  if (!part) return plainValues
  const all = [...plainValues]
  for (;;) {
    all.push(...part[1])
    const last = RANGE.exec(part[0])?.[3] ?? '*'
    if (last === '*') return all
    const attributes = [`${column};range=${Number(last) + 1}-*`]
    let next: [string, Buffer[]] | undefined
    for await (const { entries } of directory.session.search({
      base: dn,
      scope: 'base',
      filter: '(objectClass=*)',
      attributes,
    })) {
      const found = entries[0] && [...toEntry(entries[0]).values].find(([key]) => RANGE.exec(key)?.[1] === name)
      next ??= found
    }
    if (!next || next[1].length === 0) throw new SourceFault('cut-off', `${dn}: ${part[0]}`)
    part = next
  }
}

/** Active Directory omits the primary group from `memberOf`; its SID is that of the domain with another last part. */
async function primaryGroup(directory: Directory, entry: Entry): Promise<string> {
  const id = textOf(entry, 'primaryGroupID')
  const sid = entry.values.get('objectsid')?.[0]
  if (!/^\d{1,10}$/.test(id) || !sid || sid.length < 12) return ''
  const group = Buffer.from(sid)
  group.writeUInt32LE(Number(id), group.length - 4)
  const key = group.toString('hex')
  const known = directory.groups.get(key) ?? findDn(directory, group)
  directory.groups.set(key, known)
  return await known
}

async function findDn(directory: Directory, sid: Buffer): Promise<string> {
  const escaped = sid.toString('hex').replace(/../g, '\\$&')
  const root = directory.base.replace(/^.*?(?=dc=)/is, '')
  for await (const entry of readEntries(
    { ...directory, base: root },
    { filter: `(objectSid=${escaped})`, attributes: ['1.1'] },
  ))
    return entry.dn
  return ''
}

const SAMPLED = 200

/** The known columns, and those that the first entries have. */
async function findColumns(sample: AsyncIterable<Entry>, known: readonly string[]): Promise<SourceColumn[]> {
  const names = new Map(known.map((name) => [name.toLowerCase(), name]))
  let seen = 0
  for await (const entry of sample) {
    for (const name of entry.names) {
      const bare = name.replace(/;.*$/, '')
      if (!names.has(bare.toLowerCase())) names.set(bare.toLowerCase(), bare)
    }
    if (++seen >= SAMPLED) break
  }
  for (const unread of [...UNREAD_ATTRIBUTES, 'objectclass']) names.delete(unread)
  return [...names.values()].map((name) => ({ name, type: 'text' }))
}

/** Active Directory tells which attributes the current user may change; others don't. */
async function mayWrite(directory: Directory, filter: string): Promise<boolean | null> {
  if (directory.flavour !== 'ad') return null
  for await (const { values } of readEntries(directory, { filter, attributes: ['allowedAttributesEffective'] }))
    return (values.get('allowedattributeseffective') ?? []).length > 0
  return null
}
