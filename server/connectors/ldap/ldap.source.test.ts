import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_OPTIONS } from '#shared/contract/data-source-options.ts'
import { BASE, BASE_ENTRIES, hasSlapd, READER, type Slapd, startSlapd } from '../../testing/slapd.ts'
import type { OpenSource, SourceSettings } from '../data-source.types.ts'
import { openLdap } from './index.ts'

const PEOPLE = 1234

const person = (at: number) => `
dn: uid=p${at},ou=people,${BASE}
objectClass: inetOrgPerson
uid: p${at}
cn: Person ${at}
sn: ${at}
mail: p${at}@school.example
`

let slapd: Slapd
let reader: SourceSettings
beforeAll(async () => {
  if (!hasSlapd) return
  slapd = await startSlapd()
  const ous = ['people', 'gone away'].map(
    (ou) => `\ndn: ou=${ou},${BASE}\nobjectClass: organizationalUnit\nou: ${ou}\n`,
  )
  slapd.add(`${BASE_ENTRIES}${ous.join('')}
dn: uid=odd,ou=people,${BASE}
objectClass: inetOrgPerson
uid: odd
cn:: ${Buffer.from('王小明 (借调)*').toString('base64')}
sn: odd
ou: Mathematics
ou: Physics
userPassword: never-read
employeeNumber: 00017
${Array.from({ length: PEOPLE - 1 }, (_, at) => person(at)).join('')}
dn: cn=staff,${BASE}
objectClass: groupOfNames
cn: staff
member: uid=odd,ou=people,${BASE}
member: uid=p1,ou=people,${BASE}
`)
  reader = {
    ...{ host: '127.0.0.1', port: slapd.tlsPort, database: BASE, ...READER },
    ...{ tls: 'verify', ca: slapd.ca, timeoutSeconds: 10, options: NO_OPTIONS },
  }
})
afterAll(async () => {
  if (hasSlapd) await slapd.stop()
})

async function withReader<T>(work: (source: OpenSource) => Promise<T>, more: Partial<SourceSettings> = {}): Promise<T> {
  const source = await openLdap({ ...reader, ...more }, 'ldap')
  try {
    return await work(source)
  } finally {
    await source.close()
  }
}

async function readAll(source: OpenSource, columns: string[], table = 'people'): Promise<string[][]> {
  const rows: string[][] = []
  for await (const batch of source.read(table, columns)) rows.push(...batch)
  return rows
}

const filtered = (peopleFilter: string) => ({ options: { ...NO_OPTIONS, peopleFilter } })

test.runIf(hasSlapd)(
  'everybody below the base is read over several pages, with a key that survives a renaming',
  async () => {
    await withReader(async (source) => {
      expect(await source.count('people')).toBe(PEOPLE)
      expect(await source.repeated('people', 'entryUUID')).toEqual({ repeated: 0, empty: 0 })
      const rows = await readAll(source, ['entryUUID', 'uid', 'mail', 'parentDn'])
      expect(new Set(rows.map(([key]) => key)).size).toBe(PEOPLE)
      expect(rows.find(([, uid]) => uid === 'p7')?.slice(2)).toEqual(['p7@school.example', `ou=people,${BASE}`])
      expect(rows[0]?.[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    })
  },
)

test.runIf(hasSlapd)(
  'values are read as written: several of them, other scripts, leading zeros, groups; passwords never',
  async () => {
    await withReader(async (source) => {
      const columns = (await source.columns('people')).map(({ name }) => name)
      expect(columns).toEqual(expect.arrayContaining(['uid', 'entryUUID', 'memberOf', 'dn']))
      expect(columns.map((name) => name.toLowerCase())).not.toContain('userpassword')
      const [row] = await readAll(source, ['cn', 'ou', 'employeeNumber', 'memberOf', 'userPassword', 'mobile'])
      expect(row).toEqual(['王小明 (借调)*', 'Mathematics|Physics', '00017', `cn=staff,${BASE}`, '', ''])
    }, filtered('(uid=odd)'))
  },
)

test.runIf(hasSlapd)('departments and groups are tables of their own', async () => {
  await withReader(async (source) => {
    expect(await source.tables(10)).toEqual(['people', 'departments', 'groups'])
    expect((await readAll(source, ['ou'], 'departments')).flat()).toEqual(['people', 'gone away'])
    expect((await readAll(source, ['cn', 'member'], 'groups'))[0]?.[1]).toContain('uid=p1')
    await expect(source.count('elsewhere')).rejects.toMatchObject({ problem: 'no-table' })
  })
})

test.runIf(hasSlapd)(
  'the connection is encrypted before the password is sent, and the certificate must be this host’s',
  async () => {
    const startTls = { port: slapd.port, options: { ...NO_OPTIONS, startTls: true } }
    for (const more of [{}, startTls]) {
      await withReader(async (source) => expect(source.isEncrypted).toBe(true), more)
      await expect(withReader(async () => {}, { ...more, ca: '' })).rejects.toMatchObject({ problem: 'tls' })
    }
    await expect(withReader(async () => {}, { host: '127.0.0.2' })).rejects.toMatchObject({ problem: 'tls' })
    await withReader(async (source) => expect(source.isEncrypted).toBe(true), { host: '127.0.0.2', tls: 'require' })
    await expect(withReader(async () => {}, { port: slapd.port })).rejects.toMatchObject({ problem: 'tls' })
    await withReader(async (source) => expect(source.isEncrypted).toBe(false), { port: slapd.port, tls: 'off' })
  },
)

test.runIf(hasSlapd)('each error has its own code: wrong password, none at all, address, base', async () => {
  const problem = (more: Partial<SourceSettings>) =>
    withReader(async () => 'none', more).catch((error: { problem: string }) => error.problem)
  expect(await problem({ password: 'wrong' })).toBe('login-refused')
  expect(await problem({ password: '' })).toBe('login-refused')
  expect(await problem({ port: 1 })).toBe('unreachable')
  expect(await problem({ database: `ou=nowhere,${BASE}` })).toBe('no-database')
  expect(await problem({ database: 'no name at all' })).toBe('no-database')
})

test.runIf(hasSlapd)(
  'a server that returns only some of its people, or refers elsewhere for others, is never read as complete',
  async () => {
    const small = await startSlapd('size=100 size.prtotal=100')
    try {
      small.add(`${BASE_ENTRIES}
dn: ou=people,${BASE}
objectClass: organizationalUnit
ou: people
${Array.from({ length: 150 }, (_, at) => person(at)).join('')}`)
      const here = { port: small.tlsPort, ca: small.ca }
      await withReader(async (source) => {
        await expect(readAll(source, ['uid'])).rejects.toMatchObject({ problem: 'limited' })
      }, here)
    } finally {
      await small.stop()
    }
    slapd.add(`dn: ou=branch,${BASE}
objectClass: referral
objectClass: extensibleObject
ou: branch
ref: ldap://branch.example/ou=branch,${BASE}
`)
    await withReader(async (source) => {
      await expect(readAll(source, ['uid'])).rejects.toMatchObject({ problem: 'referral' })
    })
  },
)
