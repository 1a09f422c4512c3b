import { beforeAll, expect, test } from 'vitest'
import type { PersonalData } from '#shared/contract/profile.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal, type Portal, type Reply } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  return () => server.close()
})

const at = (page: Portal, verb: string, id = page.user.userId) => `/user_information/${id}/${verb}/`
const details = async (page: Portal) => (await page.call<PersonalData>(at(page, 'details'))).data
const change = (page: Portal, verb: string, body: object, id?: string) =>
  page.call<{ version: number; picture?: string }>(at(page, verb, id), { body })
const outcome = ({ status, envelope }: Reply) => [status, envelope.code]

async function uploadedBy(page: Portal): Promise<string> {
  const { default: sharp } = await import('sharp')
  const png = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#1d6b45' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.set('file', new File([new Uint8Array(png)], 'a.png'))
  return (await page.call<{ id: string }>('/auth_files/upload/', { body: form })).data.id
}

test('personal data tell who a person is at the institution, in the language of the page', async () => {
  const userId = await addPerson(server, { account: '20260001', name: '李雷' })
  const { sql } = server.platform
  const [school, college] = ['00000000-0000-7000-8000-0000000000a1', '00000000-0000-7000-8000-0000000000a2'] as const
  await sql`insert into organizations (id, code, name, names, parent_id, ancestor_ids, created_at, updated_at) values
    (${school}, 'school', '示范大学', '{"en": "Demo University"}', null, ${[school]}, now(), now()),
    (${college}, 'cs', '计算机学院', '{}', ${school}, ${[school, college]}, now(), now())`
  await sql`update users set organization_id = ${college} where id = ${userId}`
  const page = await openPortal(server, { userId })
  expect(await details(page)).toEqual({
    userId,
    account: '20260001',
    custom: [],
    fields: {
      editable: ['nickname', 'alias', 'phone', 'mailbox', 'gender', 'birthday', 'avatar'],
      hidden: [],
      owners: { account: 'nobody', name: 'administrators', idNumber: 'administrators' },
    },
    name: '李雷',
    organizations: ['Demo University', '计算机学院'],
    category: null,
    nick: null,
    gender: 'unknown',
    birthday: null,
    picture: null,
    version: expect.any(Number),
  })
})

test('each part is saved separately and audited before and after, the birthday without its day', async () => {
  const page = await openPortal(server)
  let { version } = await details(page)
  for (const [verb, body] of [
    ['user_nick', { nick: '  小明  ' }],
    ['user_birthday', { birthday: '2004-02-29' }],
    ['user_gender', { gender: 'female' }],
  ] as const) {
    const { status, data } = await change(page, verb, { ...body, version })
    expect([status, data.version]).toEqual([200, version + 1])
    version = data.version
  }
  expect(await details(page)).toMatchObject({ nick: '小明', birthday: '2004-02-29', gender: 'female', version })
  const lines = await server.platform.sql`
    select action, before, after from audit_records where actor_id = ${page.user.userId} order by at, id`
  expect(lines.map((line) => ({ ...line }))).toEqual([
    { action: 'nickname.change', before: { nickname: null }, after: { nickname: '小明' } },
    { action: 'birthday.change', before: { birthday: null }, after: { birthday: '2004-**-**' } },
    { action: 'gender.change', before: { gender: 'unknown' }, after: { gender: 'female' } },
  ])
  const same = await change(page, 'user_nick', { nick: '小明', version })
  expect(same.data.version).toBe(version)
  expect((await change(page, 'user_nick', { nick: '', version })).status).toBe(200)
  expect((await details(page)).nick).toBe(null)
})

test.each([
  ['21 characters', 'a'.repeat(21)],
  ['21 emoji of many parts', '👨‍👩‍👧‍👦'.repeat(21)],
  ['a direction override', 'a\u202egnp.exe'],
  ['a line break', 'a\nb'],
  ['nothing that can be seen', '\u200b\u200d'],
  ['500 marks on one letter', `a${'\u0301'.repeat(500)}`],
])('a nickname of %s is rejected and nothing changes', async (_, nick) => {
  const page = await openPortal(server)
  const before = await details(page)
  expect(outcome(await change(page, 'user_nick', { nick, version: before.version }))).toEqual([
    422,
    'profile.bad-nickname',
  ])
  expect(await details(page)).toEqual(before)
})

test('20 characters are counted as people count them, and markup is a name like any other', async () => {
  const page = await openPortal(server)
  for (const nick of ['👨‍👩‍👧‍👦'.repeat(20), '𠮷'.repeat(20), '<img src=x>{{7*7}}', "'; drop table u;--"]) {
    const { version } = await details(page)
    expect((await change(page, 'user_nick', { nick, version })).status, nick).toBe(200)
    expect((await details(page)).nick).toBe(nick)
  }
})

test.each(['2003-02-29', '1850-01-01', '2999-01-01', '2000-1-1', 'yesterday', ''])(
  'the birthday %j is refused',
  async (birthday) => {
    const page = await openPortal(server)
    const { version } = await details(page)
    expect(outcome(await change(page, 'user_birthday', { birthday, version }))).toEqual([422, 'profile.bad-birthday'])
  },
)

test('of two simultaneous changes one is told, not overwritten', async () => {
  const page = await openPortal(server)
  const { version } = await details(page)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => change(page, 'user_nick', { nick: `n${index}`, version })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter((answer) => answer.envelope.code === 'version.conflict')).toHaveLength(19)
})

test('nobody can change another person here, known or not, not even a super user', async () => {
  const victim = await openPortal(server)
  const before = await details(victim)
  for (const page of [await openPortal(server), await openPortal(server, { isSuperUser: true })]) {
    for (const id of [victim.user.userId, '00000000-0000-7000-8000-000000000000']) {
      const calls: [string, object][] = [
        ['user_nick', { nick: 'x' }],
        ['user_birthday', { birthday: null }],
        ['user_gender', { gender: 'male' }],
        ['user_avatar', { fileId: null }],
      ]
      for (const [verb, body] of calls) {
        const answer = await change(page, verb, { ...body, version: before.version }, id)
        expect(outcome(answer)).toEqual([403, 'profile.not-yours'])
      }
    }
  }
  expect(await details(victim)).toEqual(before)
})

test('a super user reads the personal data of anybody, a scoped administrator that of their people; nobody else’s is shown', async () => {
  const { sql } = server.platform
  const [root, plain, dean] = [
    await openPortal(server, { isSuperUser: true }),
    await openPortal(server),
    await openPortal(server, { permissions: [] }),
  ]
  const [part] = await sql<{ id: string }[]>`
    select organization_id as id from appointments where user_id = ${dean.user.userId}`
  const above = '00000000-0000-7000-8000-0000000000b1'
  await sql`insert into organizations (id, code, name, ancestor_ids, created_at, updated_at)
    values (${above}, 'above', 'Above', ${[above]}, now(), now())`
  await sql`
    update organizations set name = 'Part', parent_id = ${above}, ancestor_ids = ${[above, part?.id ?? '']} where id = ${part?.id ?? ''}`
  const [inside, outside] = [await addPerson(server, { account: 'in' }), await addPerson(server, { account: 'out' })]
  await sql`update users set organization_id = ${part?.id ?? ''} where id = ${inside}`
  await sql`update users set organization_id = ${above} where id = ${outside}`
  const read = (page: Portal, id: string) => page.call<PersonalData>(at(page, 'details', id))
  expect((await read(root, inside)).data).toMatchObject({ account: 'in', organizations: ['Above', 'Part'] })
  expect((await read(root, outside)).data).toMatchObject({ account: 'out', organizations: ['Above'] })
  expect((await read(dean, inside)).data).toMatchObject({ account: 'in', organizations: ['Part'] })
  const nobody = '00000000-0000-7000-8000-0000000000ff'
  for (const [page, id] of [
    [dean, outside],
    [dean, nobody],
    [plain, inside],
    [plain, nobody],
    [root, nobody],
  ] as const) {
    expect(outcome(await read(page, id))).toEqual([403, 'profile.not-yours'])
  }
})

test('an avatar is an upload of one’s own; the previous one is deleted, and it can be removed', async () => {
  const page = await openPortal(server)
  const files = () => server.platform.sql`select id from files where owner_id = ${page.user.userId}`
  let { version } = await details(page)
  const first = await uploadedBy(page)
  const set = await change(page, 'user_avatar', { fileId: first, version })
  expect(set.data.picture).toContain(first)
  expect((await details(page)).picture).toBe(set.data.picture)
  version = set.data.version
  const second = await uploadedBy(page)
  expect(await files()).toHaveLength(2)
  version = (await change(page, 'user_avatar', { fileId: second, version })).data.version
  expect((await files()).map(({ id }) => id)).toEqual([second])
  const old = await fetch(`${server.url}/auth_service/auth_files/preview_file/${first}`)
  expect(old.status).toBe(404)
  expect((await change(page, 'user_avatar', { fileId: null, version })).data.picture).toBe(null)
  expect(await files()).toEqual([])
  expect((await details(page)).picture).toBe(null)
})

test('a file of somebody else, of the institution, or a missing one is no avatar', async () => {
  const page = await openPortal(server)
  const stranger = await openPortal(server)
  const logo = '0192f000-0000-7000-8000-00000000beef'
  await server.platform.sql`
    insert into files (id, purpose, content_type, bytes, created_at) values (${logo}, 'institution', 'image/png', '', now())`
  const { version } = await details(page)
  for (const fileId of [await uploadedBy(stranger), logo, '00000000-0000-7000-8000-000000000000']) {
    expect(outcome(await change(page, 'user_avatar', { fileId, version }))).toEqual([404, 'file.not-found'])
  }
  expect((await details(page)).picture).toBe(null)
})

test('a session that must change its password first sees and changes nothing here', async () => {
  const page = await openPortal(server, { limited: true })
  expect(outcome(await page.call(at(page, 'details')))).toEqual([403, 'session.limited'])
  expect(outcome(await change(page, 'user_nick', { nick: 'x', version: 1 }))).toEqual([403, 'session.limited'])
})
