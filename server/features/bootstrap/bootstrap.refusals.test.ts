import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { Platform } from '../../platform/platform.ts'
import { startTestServer } from '../../testing/server.ts'
import { applyBootstrapFile } from './index.ts'

async function file(content: string, name = 'bootstrap.yaml'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bootstrap-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

const person = (account: string, more: object = {}) => ({ account, name: account, ...more })
const app = (more: object) => ({ applications: [{ appId: 'x', name: 'X', protocol: 'cas', ...more }] })
const service = (address: string) => app({ serviceUrls: ['https://ok.example.edu/', address] })

test.each<[string, unknown, string]>([
  ['an unknown list', { people: [] }, 'people: no such key'],
  ['an unknown key', { users: [person('a'), person('b', { colour: 'red' })] }, 'users[1].colour: no such key'],
  ['a missing name', { users: [{ account: 'a' }] }, 'users[0].name: is missing'],
  ['a missing protocol', { applications: [{ appId: 'x', name: 'X' }] }, 'applications[0].protocol'],
  [
    'a number for an account',
    { users: [{ account: 20260001, name: 'a' }] },
    'users[0].account: expected a text: put it in quotes',
  ],
  [
    'an unknown organisation',
    { users: [person('a'), person('b', { organization: 'x' })] },
    'users[1].organization: no organisation with the code "x"',
  ],
  [
    'an unknown category',
    { users: [person('a', { category: 'x' })] },
    'users[0].category: no user category with the code "x"',
  ],
  ['an unknown role', { users: [person('a', { roles: ['x'] })] }, 'users[0].roles[0]: no role with the code "x"'],
  [
    'an unknown parent',
    { organizations: [{ code: 'a', name: 'A', parent: 'b' }] },
    'organizations[0].parent: no organisation with the code "b"',
  ],
  [
    'a circle of organisations',
    {
      organizations: [
        { code: 'a', name: 'A', parent: 'b' },
        { code: 'b', name: 'B', parent: 'a' },
      ],
    },
    'organizations[0].parent: leads back to itself',
  ],
  [
    'an unknown authorised person',
    app({ authorized: { users: ['nobody'] } }),
    'applications[0].authorized.users[0]: no person with the account "nobody"',
  ],
  ['an unknown attribute', app({ attributes: ['account', 'password'] }), 'applications[0].attributes[1]'],
  [
    'an attribute named like the protocol',
    app({ attributes: [{ name: 'user', from: 'name' }] }),
    'applications[0].attributes[0]',
  ],
  [
    'an attribute that is no XML name',
    app({ attributes: [{ name: 'a b', value: 'x' }] }),
    'applications[0].attributes[0]',
  ],
  ['a freely chosen user attribute', app({ userAttribute: 'nickname' }), 'applications[0].userAttribute'],
  [
    'the name of the portal',
    { applications: [{ appId: 'portal', name: 'X', protocol: 'cas' }] },
    'applications[0].appId',
  ],
  ['the same account twice', { users: [person('a'), person('a')] }, 'users[1].account: "a" is already users[0]'],
  [
    'an account that is another one in other letters',
    { users: [person('lilei'), person('ＬｉＬｅｉ')] },
    'users[1].account: the login name is already that of users[0]',
  ],
  [
    "an account that is another one's phone",
    { users: [person('a', { phone: '+86 138 0000 0001' }), person('13800000001')] },
    'users[1].account',
  ],
  [
    'the same client id twice',
    { applications: ['x', 'y'].map((appId) => ({ appId, name: appId, protocol: 'oauth2', clientId: 'c' })) },
    'applications[1].clientId',
  ],
  ['no phone number', { users: [person('a', { phone: 'call me' })] }, 'users[0].phone: expected a phone number'],
  ['a number in no range', { users: [person('a', { phone: '1391111' })] }, 'users[0].phone: expected a phone number'],
  ['half a mailbox', { users: [person('a', { mailbox: 'a@b' })] }, 'users[0].mailbox: expected a mail address'],
  [
    'a password and a hash',
    { users: [person('a', { password: 'secret-1', passwordHash: `{MD5}${'0'.repeat(32)}` })] },
    'users[0].passwordHash',
  ],
  ['a hash of an unknown kind', { users: [person('a', { passwordHash: 'crypt-secret-1' })] }, 'users[0].passwordHash'],
  ['an unknown settings document', { settings: { other: {} } }, 'settings.other: no such settings'],
  ['an unknown setting', { settings: { login: { captcha: 1 } } }, 'settings.login'],
  ['a setting out of range', { settings: { login: { lockAfterFailures: 0 } } }, 'settings.login.lockAfterFailures'],
  ['a script as service', service('javascript:alert(1)'), 'applications[0].serviceUrls[1]'],
  ['a script in capitals', service('JaVaScRiPt:alert(1)'), 'applications[0].serviceUrls[1]'],
  ['a control character', service('\u0001https://a.example.edu/'), 'applications[0].serviceUrls[1]'],
  ['a user name in the address', service('https://ok.example.edu@evil.example/'), 'applications[0].serviceUrls[1]'],
  ['a backslash', service('https:\\\\evil.example/'), 'applications[0].serviceUrls[1]'],
  ['any host', service('https://*/**'), 'applications[0].serviceUrls[1]'],
  ['any host as home page', app({ url: 'https://*' }), 'applications[0].url'],
  ['any host as redirect', app({ redirectUris: ['https://*'] }), 'applications[0].redirectUris[0]'],
  ['any subdomain', service('https://*.example.edu/**'), 'applications[0].serviceUrls[1]'],
  ['a wildcard inside', service('https://a.example.edu/*/b'), 'applications[0].serviceUrls[1]'],
  ['a fragment', service('https://a.example.edu/#/**'), 'applications[0].serviceUrls[1]'],
  ['a prefix with a query', service('https://a.example.edu/?x=/**'), 'applications[0].serviceUrls[1]'],
  ['white space', service('https://a.example.edu/ '), 'applications[0].serviceUrls[1]'],
  ['data as picture', app({ picture: 'data:image/svg+xml,<svg/>' }), 'applications[0].picture'],
  ['another site as picture path', app({ picture: '//evil.example/x.png' }), 'applications[0].picture'],
  ['a wildcard as redirect', app({ redirectUris: ['https://a.example.edu/**'] }), 'applications[0].redirectUris[0]'],
])('%s is rejected with its place, before anything is written', async (_, document, message) => {
  const platform = await shared()
  const path = await file(
    JSON.stringify({ organizations: [{ code: 'ok', name: 'Fine' }], ...(document as object) }),
    'x.json',
  )
  const refused = await applyBootstrapFile(platform, path).then(
    () => 'applied',
    (error: Error) => error.message,
  )
  expect(refused).toContain(`x.json: ${message}`)
  expect(refused).not.toContain('secret-1')
  expect(await platform.sql`select from organizations`).toHaveLength(0)
  expect(await platform.sql`select from users`).toHaveLength(0)
  expect(await platform.sql`select from audit_records`).toHaveLength(0)
})

test.each([
  ['users: [', 'is not valid YAML, see line'],
  ['users:\n  - { account: "a", account: "secret-1" }', 'is not valid YAML, see line 2'],
  ['{"users": [', 'is not valid YAML'],
  ['just words', 'Invalid input'],
])('an invalid file is rejected without quoting it: %j', async (content, message) => {
  const platform = await shared()
  const refused = await applyBootstrapFile(platform, await file(content)).catch((error: Error) => error.message)
  expect(refused).toContain(message)
  expect(refused).not.toContain('secret-1')
})

test.each([
  [
    'a deep tree of aliases',
    `a: &a [1]\n${'bcdefghij'
      .split('')
      .map((c, at) => `${c}: &${c} [${`*${'abcdefghij'[at]},`.repeat(9)}]`)
      .join('\n')}`,
  ],
  ['a key of every object', '{"__proto__": {"users": []}}'],
  [
    'a key of every object, in a person',
    '{"users": [{"account": "a", "name": "b", "__proto__": {"isSuperUser": true}}]}',
  ],
])('%s does no harm', async (_, content) => {
  const refused = await applyBootstrapFile(await shared(), await file(content)).catch((error: Error) => error.message)
  expect(refused).toMatch(/no such key|neither JSON nor YAML/)
})

test('a missing file is named', async () => {
  await expect(applyBootstrapFile(await shared(), '/nowhere/b.yaml')).rejects.toThrow(
    "/nowhere/b.yaml: can't be read (ENOENT)",
  )
})

let sharedPlatform: Promise<Platform> | undefined
/** A shared server for tests that write nothing. */
function shared(): Promise<Platform> {
  sharedPlatform ??= startTestServer().then((server) => {
    closing = server.close
    return server.platform
  })
  return sharedPlatform
}
let closing: (() => Promise<void>) | undefined
afterAll(() => closing?.())
