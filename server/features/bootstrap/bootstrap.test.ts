import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verify } from '@node-rs/argon2'
import { hash as hashBcrypt } from '@node-rs/bcrypt'
import { expect, onTestFinished, test } from 'vitest'
import type { Platform } from '../../platform/platform.ts'
import { testServer } from '../../testing/server.ts'
import { applyBootstrap, applyBootstrapFile, type BootstrapInput } from './index.ts'

const EXAMPLE = `
organizations:
  - { code: cs, name: Computer Science, parent: school, attribute: teaching }
  - { code: school, name: Demo University }
userCategories:
  - { code: student, name: Student }
roles:
  - { code: library-users, name: Library users }
users:
  - account: "20260001"
    name: 李雷
    password: "Correct-horse-9"
    category: student
    organization: cs
    roles: [library-users]
    phone: "13800000001"
    mailbox: LiLei@example.edu
    alias: lilei
    isSuperUser: false
    activated: true
    mustChangePassword: false
    securityQuestions: [{ question: first-school, answer: " Red  HILL " }]
applications:
  - appId: library
    name: Library
    protocol: cas
    type: system
    url: http://127.0.0.1:9001/
    serviceUrls: ["http://127.0.0.1:9001/**"]
    attributes: [account, { name: cn, from: name }, { name: tier, value: gold }]
    singleLogout: back-channel
    proxy: false
    authorized: { roles: [library-users] }
  - appId: lms
    name: Learning
    protocol: oauth2
    type: whitelist
    url: http://127.0.0.1:9002/
    clientId: lms
    clientSecret: lms-secret
    redirectUris: ["http://127.0.0.1:9002/callback"]
    postLogoutRedirectUris: ["http://127.0.0.1:9002/"]
    backchannelLogoutUri: http://127.0.0.1:9002/backchannel
    grantTypes: [authorization_code, refresh_token]
    scopes: [openid, profile, email, phone]
    consent: implicit
    idTokenAlg: ES256
    subjectType: pairwise
settings:
  login: { captchaAfterFailures: 4, lockAfterFailures: 6 }
`

const TABLES = [
  'organizations',
  'user_categories',
  'roles',
  'users',
  'login_names',
  'role_members',
  'passwords',
  'security_answers',
  'application_categories',
  'applications',
  'application_grants',
  'settings',
  'audit_records',
] as const

/** Everything that a bootstrap file can change, to the last byte. */
async function everything({ sql }: Platform): Promise<string> {
  const parts: string[] = []
  for (const table of TABLES) parts.push(JSON.stringify(await sql`select t::text from ${sql(table)} t order by 1`))
  return parts.join('\n')
}

async function file(content: string, name = 'bootstrap.yaml'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bootstrap-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

const source = 'test'
const person = (account: string, more: object = {}) => ({ account, name: account, ...more })

test('the example of the manual loads, with defaults, login names, search forms and hashed secrets', async () => {
  const { platform } = await testServer()
  const { sql } = platform
  expect(await applyBootstrapFile(platform, await file(EXAMPLE))).toEqual({ created: 8, updated: 0, unchanged: 0 })

  const [user] = await sql`
    select u.*, o.code as org, c.code as category, array(select role_id from role_members where user_id = u.id) as roles
    from users u join organizations o on o.id = organization_id join user_categories c on c.id = category_id`
  expect(user).toMatchObject({
    account: '20260001',
    namePinyin: 'lilei',
    nameInitials: 'll',
    phone: '+8613800000001',
    mailbox: 'LiLei@example.edu',
    org: 'cs',
    category: 'student',
    activated: true,
    isSuperUser: false,
    mustChangePassword: false,
    gender: 'unknown',
  })
  expect(user?.['roles']).toHaveLength(1)
  const names = await sql`select canonical, kind from login_names order by kind`
  expect(names.map((row) => [row['kind'], row['canonical']])).toEqual([
    ['account', '20260001'],
    ['alias', 'lilei'],
    ['mailbox', 'lilei@example.edu'],
    ['phone', '+8613800000001'],
  ])
  const [password] = await sql`select hash from passwords`
  expect(password?.['hash']).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
  expect(await verify(password?.['hash'], 'Correct-horse-9')).toBe(true)
  const [answer] = await sql`select question, answer_hash from security_answers`
  expect(await verify(answer?.['answerHash'], 'red hill')).toBe(true)
  const [cs] = await sql`
    select array(select code from unnest(ancestor_ids) with ordinality a(id, at) join organizations using (id) order by at) as path
    from organizations where code = 'cs'`
  expect(cs?.['path']).toEqual(['school', 'cs'])
  const [library] = await sql`select * from applications where app_id = 'library'`
  expect(library).toMatchObject({
    type: 'system',
    attributes: [
      { name: 'account', from: 'account' },
      { name: 'cn', from: 'name' },
      { name: 'tier', value: 'gold' },
    ],
    userAttribute: 'account',
    singleLogout: 'back-channel',
  })
  const [lms] = await sql`select client_secret_hash, id_token_alg, subject_type from applications where app_id = 'lms'`
  expect(lms).toMatchObject({ idTokenAlg: 'ES256', subjectType: 'pairwise' })
  expect(library).toMatchObject({ idTokenAlg: 'RS256', subjectType: 'public' })
  expect(lms?.['clientSecretHash']).not.toContain('lms-secret')
  expect(await sql`select value from settings where name = 'login'`).toEqual([
    { value: { captchaAfterFailures: 4, lockAfterFailures: 6 } },
  ])
})

test('a second run of the same file changes nothing, not even a version or a time', async () => {
  const server = await testServer()
  const path = await file(EXAMPLE)
  await applyBootstrapFile(server.platform, path)
  const before = await everything(server.platform)
  server.advance(3600)
  expect(await applyBootstrapFile(server.platform, path)).toEqual({ created: 0, updated: 0, unchanged: 8 })
  expect(await everything(server.platform)).toBe(before)
})

test('the compatibility options of a CAS application are set by the file, unchanged where absent, and must be known', async () => {
  const { platform } = await testServer()
  const library = { appId: 'library', name: 'Library', protocol: 'cas' as const }
  const apply = (more: object) =>
    applyBootstrap(platform, { applications: [{ ...library, ...more }] }, { source: 'test' })
  const options = async () => (await platform.sql`select cas_options from applications where app_id = 'library'`)[0]
  await apply({})
  expect(await options()).toEqual({ casOptions: {} })
  await apply({ casOptions: { attributesInCas2: true } })
  expect(await options()).toMatchObject({ casOptions: { attributesInCas2: true, validateUserLine: true } })
  expect(await apply({ casOptions: { attributesInCas2: true } })).toMatchObject({ updated: 0, unchanged: 1 })
  expect(await apply({})).toMatchObject({ updated: 0, unchanged: 1 })
  await expect(apply({ casOptions: { attributesInCas1: true } })).rejects.toThrow('applications[0].casOptions')
})

test('values for creation only stay as the person changed them, every other given key applies at each start', async () => {
  const { platform } = await testServer()
  const { sql } = platform
  const first = person('lilei', { password: 'first one', mailbox: 'a@b.c', nickname: 'Lei', activated: false })
  await applyBootstrap(platform, { users: [first] }, { source })
  const [before] = await sql`select hash from passwords`
  const second = person('lilei', {
    name: 'Li Lei',
    password: 'second one',
    activated: true,
    mustChangePassword: true,
    securityQuestions: [{ question: 'q', answer: 'a' }],
    mailbox: null,
    isSuperUser: true,
  })
  expect(await applyBootstrap(platform, { users: [second] }, { source })).toEqual({
    created: 0,
    updated: 1,
    unchanged: 0,
  })
  const [after] = await sql`select hash from passwords`
  expect(after).toEqual(before)
  const [user] = await sql`select * from users`
  expect(user).toMatchObject({
    name: 'Li Lei',
    namePinyin: 'lilei',
    nickname: 'Lei',
    activated: false,
    mustChangePassword: false,
    mailbox: null,
    isSuperUser: true,
    version: 2,
  })
  expect(await sql`select from security_answers`).toHaveLength(0)
  expect(await sql`select canonical from login_names`).toEqual([{ canonical: 'lilei' }])
})

test('hashes of other systems are kept if slow and wrapped if fast, never stored raw', async () => {
  const { platform } = await testServer()
  const salt = Buffer.from('salty')
  const md5 = createHash('md5').update('pass').digest('hex')
  const sm3 = createHash('sm3').update('pass').digest('hex')
  const ssha = createHash('sha1').update('pass').update(salt).digest()
  const bcrypt = await hashBcrypt('pass', 4)
  const users = [
    person('a', { passwordHash: `{MD5}${md5.toUpperCase()}` }),
    person('b', { passwordHash: `{SM3}${sm3}` }),
    person('c', { passwordHash: `{SSHA}${Buffer.concat([ssha, salt]).toString('base64')}` }),
    person('d', { passwordHash: bcrypt }),
  ]
  await applyBootstrap(platform, { users }, { source })
  const rows = await platform.sql<
    { hash: string }[]
  >`select hash from passwords join users on id = user_id order by account`
  const [a, b, c, d] = rows.map(({ hash }) => hash)
  const parts = [a, b, c].map((hash) => (hash ?? '').split(':'))
  expect(parts.map(([wrapped, scheme, kept]) => [wrapped, scheme, kept])).toEqual([
    ['wrapped', 'md5', ''],
    ['wrapped', 'sm3', ''],
    ['wrapped', 'ssha', salt.toString('base64')],
  ])
  expect(await verify(parts[0]?.[3] ?? '', md5)).toBe(true)
  expect(await verify(parts[1]?.[3] ?? '', sm3)).toBe(true)
  expect(await verify(parts[2]?.[3] ?? '', ssha.toString('hex'))).toBe(true)
  expect(d).toBe(bcrypt)
})

test('moving an organisation moves everything below it', async () => {
  const { platform } = await testServer()
  const { sql } = platform
  const organizations = ['a', 'b', 'c', 'd'].map((code, at) => ({
    code,
    name: code,
    parent: at ? 'abcd'[at - 1] : null,
  }))
  await applyBootstrap(platform, { organizations } as BootstrapInput, { source })
  const moved = { organizations: [{ code: 'c', name: 'c', parent: 'a' }] }
  expect(await applyBootstrap(platform, moved, { source })).toEqual({ created: 0, updated: 1, unchanged: 0 })
  const rows = await sql`
    select code, version, (select string_agg(o.code, '/' order by at) from unnest(t.ancestor_ids) with ordinality x(id, at) join organizations o using (id)) as path
    from organizations t order by code`
  expect(rows).toEqual([
    { code: 'a', version: 1, path: 'a' },
    { code: 'b', version: 1, path: 'a/b' },
    { code: 'c', version: 2, path: 'a/c' },
    { code: 'd', version: 1, path: 'a/c/d' },
  ])
})

test('a given list of grants is the complete list of its kind, an absent one leaves it unchanged', async () => {
  const { platform } = await testServer()
  const app = { appId: 'x', name: 'X', protocol: 'cas' as const }
  const base = {
    roles: [
      { code: 'r1', name: 'R1' },
      { code: 'r2', name: 'R2' },
    ],
    users: [person('u1')],
  }
  const authorized = { roles: ['r1'], users: ['u1'] }
  await applyBootstrap(platform, { ...base, applications: [{ ...app, authorized }] }, { source })
  const grants = () => platform.sql`
    select subject_kind as kind, coalesce(r.code, u.account) as code from application_grants
    left join roles r on r.id = subject_id left join users u on u.id = subject_id order by 1, 2`
  const only = (roles: string[]) =>
    applyBootstrap(platform, { applications: [{ ...app, authorized: { roles } }] }, { source })
  expect(await only(['r2'])).toMatchObject({ updated: 1 })
  expect(await grants()).toEqual([
    { kind: 'role', code: 'r2' },
    { kind: 'user', code: 'u1' },
  ])
  expect(await applyBootstrap(platform, { applications: [app] }, { source })).toMatchObject({ unchanged: 1 })
  await only([])
  expect(await grants()).toEqual([{ kind: 'user', code: 'u1' }])
})

test('a login name may move from one person to another, but never belong to two', async () => {
  const { platform } = await testServer()
  await applyBootstrap(platform, { users: [person('a', { phone: '13800000001' }), person('b')] }, { source })
  const taken = applyBootstrap(platform, { users: [person('b', { alias: '+8613800000001' })] }, { source })
  await expect(taken).rejects.toThrow('users[0].alias: the login name already belongs to the account "a"')
  const passed = { users: [person('b', { phone: '138 0000 0001' }), person('a', { phone: null })] }
  expect(await applyBootstrap(platform, passed, { source })).toMatchObject({ updated: 2 })
})

test('two nodes that start together apply the file once', async () => {
  const server = await testServer()
  const other = await server.secondNode()
  const path = await file(EXAMPLE)
  const results = await Promise.all([server, other].map(({ platform }) => applyBootstrapFile(platform, path)))
  expect(results.map(({ created }) => created).sort()).toEqual([0, 8])
})
