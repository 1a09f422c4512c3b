import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DataSource, SourceTest } from '#shared/contract/data-sources.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import { SyncWorld } from '../../testing/directory-syncs.ts'
import { newSshKeys, SftpServer } from '../../testing/sftp.ts'

const syncs = new SyncWorld()
const sftp = new SftpServer()
const hostKeys = newSshKeys()
const PATH = '/out/people.csv'

beforeAll(() => sftp.start([hostKeys.private]))
afterAll(() => sftp.stop())
beforeEach(() => {
  sftp.mood = 'well'
  sftp.files.clear()
  sftp.tried.length = 0
})

const source = (options: object = {}, more: object = {}) => ({
  ...{ name: syncs.named('SFTP'), kind: 'csv-sftp', host: '127.0.0.1', port: sftp.port },
  ...{ user: sftp.user, password: sftp.password, options: { path: PATH, ...options }, ...more },
})
const look = async (fields: object) => (await syncs.root.call<SourceTest>('/data_source/test/', { body: fields })).data
/** As the test of a source shows it. */
const shownKey = async () => (await look(source())).hostKey ?? ''
const problem = async (options: object = {}, more: object = {}) =>
  (await look(source({ hostKey: await shownKey(), ...options }, more))).problem

test('the key of a server is shown before anything is sent, and a file is read once it is confirmed', async () => {
  sftp.put(PATH, '学号,姓名\n2026001,王小明\n2026002,李雷\n')
  const first = await look(source())
  expect(first).toMatchObject({ isOk: false, problem: 'host-key-unknown' })
  expect(first.hostKey).toMatch(/^ssh-ed25519 SHA256:[A-Za-z0-9+/]{43}$/)
  expect(sftp.tried).toEqual([])
  const body = source()
  const { data: made } = await syncs.root.call<DataSource>('/data_source/create/', { body })
  const stored = { ...body, password: SECRET_PLACEHOLDER, options: { ...body.options, hostKey: first.hostKey } }
  const update = (more: object) =>
    syncs.root.call<DataSource>(`/data_source/${made.id}/update/`, { body: { ...stored, version: 1, ...more } })
  expect((await update({})).status).toBe(200)
  const found = await look({ ...stored, id: made.id, keyColumn: '学号' })
  expect(found).toMatchObject({ isOk: true, isEncrypted: true, mayWrite: null, count: 2, hostKey: null })
  expect(found.server).toMatch(/^SFTP SSH|^SFTP ssh2js/i)
  expect(found.columns.map(({ suggested }) => suggested)).toEqual(['account', 'name'])
  expect(found).toMatchObject({
    rows: [
      ['2*****1', '王**'],
      ['2*****2', '李*'],
    ],
    key: { repeated: 0, empty: 0 },
  })
  // It is sent to another host, or a server with another key, only after it is typed again.
  const other = { ...stored.options, hostKey: `ssh-ed25519 SHA256:${'A'.repeat(43)}` }
  for (const more of [{ host: 'evil.example' }, { options: other }, { options: { ...other, hostKey: '' } }])
    expect((await update({ ...more, version: 2 })).envelope.code).toBe('settings.secret-needed')
})

test('a server with another key than the pinned one is sent nothing', async () => {
  sftp.put(PATH, 'no\n1\n')
  const pinned = await shownKey()
  await sftp.stop()
  await sftp.start()
  sftp.tried.length = 0
  const found = await look(source({ hostKey: pinned }))
  expect(found).toMatchObject({ isOk: false, problem: 'host-key-changed' })
  expect(found.hostKey).not.toBe(pinned)
  expect(found.message).toContain(found.hostKey)
  await sftp.stop()
  // An additional key beside the pinned one is the same server; another kind of key alone is not.
  await sftp.start([newSshKeys('ecdsa').private, hostKeys.private])
  expect((await look(source({ hostKey: pinned }))).isOk).toBe(true)
  await sftp.stop()
  await sftp.start([newSshKeys('ecdsa').private])
  sftp.tried.length = 0
  expect((await look(source({ hostKey: pinned }))).problem).toBe('host-key-changed')
  expect(sftp.tried).toEqual([])
  await sftp.stop()
  await sftp.start([hostKeys.private])
})

test('a wrong password is reported by name, and a private key works too', async () => {
  sftp.put(PATH, 'no\n1\n')
  expect(await problem({}, { password: 'wrong' })).toBe('login-refused')
  const byKey = (password: string) => problem({ sftpAuth: 'key' }, { password })
  expect(await byKey(sftp.userKeys.private)).toBeNull()
  expect(sftp.tried.at(-1)).toBe('publickey')
  expect(await byKey(newSshKeys().private)).toBe('login-refused')
  const create = async (options: object, more: object = {}) => {
    const { envelope } = await syncs.root.call('/data_source/create/', { body: source(options, more) })
    return [envelope.code, (envelope.data as { fields?: string[] } | null)?.fields]
  }
  expect(await create({ sftpAuth: 'key' }, { password: 'no key' })).toEqual(['data-source.bad-key', ['password']])
  expect(await create({ hostKey: 'SHA256:x' })).toEqual(['data-source.bad-host-key', ['options.hostKey']])
  expect(await create({ path: '/*/people.csv' })).toEqual(['data-source.bad-path', ['options.path']])
  expect(await create({ path: '' })).toEqual(['data-source.incomplete', ['options.path']])
  expect(await create({}, { password: '' })).toEqual(['data-source.incomplete', ['password']])
})

test('of files matching a pattern the newest one is read, in any charset, once its marker exists', async () => {
  sftp.put('/out/people-01.csv', 'no,name\n1,old\n', 1000)
  sftp.put('/out/people-02.csv.part', 'no,name\n', 3000)
  sftp.put(
    '/out/people-02.csv',
    Buffer.concat([Buffer.from('no,name\n1,'), Buffer.from('cda8d0', 'hex'), Buffer.from('a1c3f7\n2,x\n', 'hex')]),
    2000,
  )
  const pattern = { path: '/out/people-??.csv' }
  expect(await problem({ ...pattern, doneSuffix: '.done' })).toBe('unfinished')
  sftp.put('/out/people-02.csv.done', '', 1999)
  expect(await problem({ ...pattern, doneSuffix: '.done' })).toBe('unfinished')
  sftp.put('/out/people-02.csv.done', '', 2000)
  const found = await look(source({ ...pattern, hostKey: await shownKey(), doneSuffix: '.done' }))
  expect(found).toMatchObject({ isOk: true, columns: [{ name: 'no' }, { name: 'name' }] })
  expect(await problem({ path: '/out/nobody-*.csv' })).toBe('no-remote-file')
})

test('a growing, truncated, empty, missing or too large file is no institution without people', async () => {
  const many = `no,name\n${[...Array(20_000)].map((_, at) => `${at},Person ${at}`).join('\n')}\n`
  expect(await problem()).toBe('no-remote-file')
  sftp.put(PATH, '')
  expect(await problem()).toBe('unfinished')
  sftp.put(PATH, many.slice(0, many.lastIndexOf(',')))
  expect(await problem()).toBe('unfinished')
  sftp.put(PATH, Buffer.alloc(50 * 1024 * 1024 + 1, 'x'))
  expect(await problem()).toBe('limited')
  sftp.put(PATH, many)
  const hostKey = await shownKey()
  for (const [mood, word] of [
    ['grows', 'unfinished'],
    ['dies', 'cut-off'],
    ['silent', 'timeout'],
  ] as const) {
    sftp.put(PATH, many)
    sftp.mood = mood
    expect([mood, (await look(source({ hostKey }, { timeoutSeconds: 5 }))).problem]).toEqual([mood, word])
  }
  sftp.mood = 'well'
  expect((await look(source({ hostKey }))).count).toBe(20_000)
  expect((await look(source({ hostKey }, { host: '169.254.169.254' }))).problem).toBe('forbidden-address')
  expect((await look(source({ hostKey }, { port: 1 }))).problem).toBe('unreachable')
})

test('people are synchronised from the file; one that is still being written removes nobody', async () => {
  const people = syncs.numbered(3)
  sftp.put(PATH, syncs.csv(people))
  const body = source({ hostKey: await shownKey() })
  const { data: made } = await syncs.root.call<DataSource>('/data_source/create/', { body })
  const sync = await syncs.newSync({ sourceId: made.id })
  expect((await syncs.approve(await syncs.run(sync))).state).toBe('done')
  expect(await syncs.people()).toHaveLength(3)
  // The password was changed there: nobody is missing, and with the new one it continues.
  const former = sftp.password
  sftp.password = 'another-secret'
  const refused = await syncs.run(sync)
  expect(refused).toMatchObject({ state: 'failed', problem: expect.stringContaining('password was refused') })
  const change = { ...body, password: sftp.password, version: 1 }
  expect((await syncs.root.call(`/data_source/${made.id}/update/`, { body: change })).status).toBe(200)
  expect(await syncs.run(sync)).toMatchObject({ state: 'done' })
  sftp.mood = 'grows'
  sftp.put(PATH, syncs.csv(syncs.numbered(1)))
  const failed = await syncs.run(sync)
  expect(failed).toMatchObject({ state: 'failed', problem: expect.stringContaining('still being written') })
  sftp.mood = 'well'
  sftp.put(PATH, 'no,account,name\n')
  expect((await syncs.run(sync)).state).toBe('failed')
  expect((await syncs.people()).map(({ enabled }) => enabled)).toEqual([true, true, true])
  sftp.password = former
})
