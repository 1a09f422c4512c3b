import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import type { ManagedPage } from '#shared/contract/appearance.ts'
import { type HomePageSettings, MAX_FAVOURITES, type OwnHomePage } from '#shared/contract/home-page.ts'
import { addCasApplication, addPerson } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

let server: TestServer
let admin: Portal
let student: Portal
let teacher: Portal
beforeAll(async () => {
  server = await startTestServer()
  await applyBootstrap(
    server.platform,
    {
      organizations: [
        { code: 'school', name: 'School' },
        { code: 'law', name: 'Law', parent: 'school' },
      ],
      userCategories: [
        { code: 'student', name: 'Student' },
        { code: 'staff', name: 'Staff' },
      ],
    },
    { source: 'test' },
  )
  for (const appId of ['library', 'mail', 'grades']) await addCasApplication(server, { appId })
  const userId = await addPerson(server, { account: 'lilei', organization: 'law', category: 'student' })
  student = await openPortal(server, { userId })
  const other = await addPerson(server, { account: 'wang', organization: 'school', category: 'staff' })
  teacher = await openPortal(server, { userId: other })
  admin = await openPortal(server, { isSuperUser: true })
  return () => server.close()
})

const mine = async (page: Portal, query = '') => (await page.call<OwnHomePage>(`/home_page/mine/${query}`)).data
const place = (page: Portal, appId: string, before: string | null = null) =>
  page.call<OwnHomePage>('/home_page/favourite/place/', { body: { appId, before } })
const stored = async () => (await admin.call<ManagedPage>('/login_config/manage_page_config/')).data.homePage
const arrange = async (changes: Partial<HomePageSettings>) =>
  admin.call('/login_config/update_manage_page_config/', { body: { version: (await stored()).version, changes } })
const announce = (fields: object) =>
  admin.call<{ id: string; version: number }>('/announcement/create/', { body: fields })
const titles = (page: OwnHomePage) => page.announcements.map(({ title }) => title)

test('a person adds favourites, moves and removes them, and nobody else sees it', async () => {
  for (const appId of ['library', 'mail', 'grades']) expect((await place(student, appId)).status).toBe(200)
  expect((await mine(student)).favourites).toEqual(['library', 'mail', 'grades'])
  expect((await place(student, 'grades', 'library')).data.favourites).toEqual(['grades', 'library', 'mail'])
  // Repeated: a second click changes nothing.
  expect((await place(student, 'grades', 'library')).data.favourites).toEqual(['grades', 'library', 'mail'])
  const left = await student.call<OwnHomePage>('/home_page/favourite/remove/', { body: { appId: 'library' } })
  expect(left.data.favourites).toEqual(['grades', 'mail'])
  expect((await mine(teacher)).favourites).toEqual([])
})

test('two tabs that add favourites at the same time lose nothing', async () => {
  await Promise.all(['library', 'mail', 'grades'].map((appId) => place(teacher, appId)))
  expect((await mine(teacher)).favourites.toSorted()).toEqual(['grades', 'library', 'mail'])
})

test('a disabled application keeps its place, a deleted one leaves the others in theirs', async () => {
  const { sql } = server.platform
  await addCasApplication(server, { appId: 'short-lived' })
  await place(student, 'short-lived', 'mail')
  await sql`update applications set enabled = false where app_id = 'grades'`
  expect((await place(student, 'mail', 'grades')).data.favourites).toEqual(['mail', 'grades', 'short-lived'])
  await sql`delete from applications where app_id = 'short-lived'`
  expect((await mine(student)).favourites).toEqual(['mail', 'grades'])
  await sql`update applications set enabled = true where app_id = 'grades'`
  expect((await place(student, 'library')).data.favourites).toEqual(['mail', 'grades', 'library'])
})

test('only applications that a person may open can be favourites, and no more than a screen holds', async () => {
  await addCasApplication(server, { appId: 'closed', type: 'system' })
  for (const appId of ['closed', 'portal', 'nothing']) {
    const answer = await place(student, appId)
    expect([answer.status, answer.envelope.code], appId).toEqual([404, 'application.not-available'])
  }
  const many = Array.from({ length: MAX_FAVOURITES }, (_, at) => `many-${at}`)
  for (const appId of many) await addCasApplication(server, { appId })
  const page = await openPortal(server)
  for (const appId of many) expect((await place(page, appId)).status, appId).toBe(200)
  const answer = await place(page, 'library')
  expect([answer.status, answer.envelope.code]).toEqual([409, 'favourite.too-many'])
  // One that is a favourite already can still be moved.
  expect((await place(page, 'many-3', 'many-0')).data.favourites[0]).toBe('many-3')
})

test('an announcement reaches its audience, in their language, in its period, until it is read', async () => {
  const { sql } = server.platform
  const [law] = await sql<{ id: string }[]>`select id from organizations where code = 'law'`
  const [school] = await sql<{ id: string }[]>`select id from organizations where code = 'school'`
  const hour = (count: number) => new Date(server.platform.now().getTime() + count * 3_600_000).toISOString()
  const made = await announce({
    titles: { zh_CN: '停水', en: 'No water' },
    texts: { en: 'From 8 to 10' },
    shownFrom: hour(-1),
  })
  expect(made.status).toBe(200)
  await announce({ titles: { en: 'Exams' }, categories: ['student'], shownFrom: hour(-2) })
  await announce({ titles: { en: 'Moot court' }, organizations: [law?.id], shownFrom: hour(-3) })
  await announce({ titles: { en: 'All of the school' }, organizations: [school?.id], shownFrom: hour(-4) })
  await announce({ titles: { en: 'Next week' }, shownFrom: hour(24) })
  await announce({ titles: { en: 'Long ago' }, shownFrom: hour(-9), shownUntil: hour(-8) })
  expect(titles(await mine(student))).toEqual(['No water', 'Exams', 'Moot court', 'All of the school'])
  expect(titles(await mine(teacher))).toEqual(['No water', 'All of the school'])
  const chinese = await student.call<OwnHomePage>('/home_page/mine/', { headers: { 'accept-language': 'zh-CN' } })
  expect(chinese.data.announcements[0]).toMatchObject({ title: '停水', text: 'From 8 to 10', isRead: false })
  const read = await student.call('/home_page/announcement/read/', { body: { ids: [made.data.id] } })
  expect(read.status).toBe(200)
  expect((await mine(student)).announcements.map(({ isRead }) => isRead)).toEqual([true, false, false, false])
  expect((await mine(teacher)).announcements[0]?.isRead).toBe(false)
  await admin.call(`/announcement/${made.data.id}/delete/`, { body: { version: made.data.version } })
  expect(titles(await mine(student))).toEqual(['Exams', 'Moot court', 'All of the school'])
})

test.each([
  ['no title', { titles: {} }, 400, 'in at least one language'],
  [
    'a period that ends before it begins',
    { shownFrom: '2026-02-01T00:00:00Z', shownUntil: '2026-01-01T00:00:00Z' },
    422,
    'shownUntil',
  ],
  ['a text in a language without a title', { texts: { zh_TW: '只有內文' } }, 422, 'titles.zh_TW'],
  ['an address that runs', { url: 'javascript:alert(1)' }, 400, 'url'],
  ['a title that is a page long', { titles: { en: 'x'.repeat(81) } }, 400, 'titles'],
])('an announcement with %s is refused, and the answer says what is wrong', async (_what, wrong, status, said) => {
  const answer = await announce({ titles: { en: 'Title' }, ...wrong })
  expect(answer.status).toBe(status)
  expect(JSON.stringify(answer.envelope)).toContain(said)
})

test('announcements are not shown without a login, and only super users announce', async () => {
  expect((await student.call('/announcement/query/')).status).toBe(403)
  expect((await student.call('/announcement/create/', { body: { titles: { en: 'x' } } })).status).toBe(403)
  const unknown = await fetch(`${server.url}/auth_service/home_page/mine/`)
  expect(unknown.status).not.toBe(200)
})

async function uploadPicture(background: string): Promise<string> {
  const picture = sharp({ create: { width: 64, height: 24, channels: 3, background } })
  const form = new FormData()
  form.set('file', new File([new Uint8Array(await picture.png().toBuffer())], 'slide.png', { type: 'image/png' }))
  return (await admin.call<{ url: string }>('/auth_files/upload/?purpose=theme', { body: form })).data.url
}

test('pictures of the carousel are shown to their audience in their period, with their texts', async () => {
  const picture = await uploadPicture('#8c1d2f')
  const slide = { picture, url: null, from: null, until: null, categories: [] }
  const past = '2020-01-01T00:00:00.000Z'
  const carousel = [
    { ...slide, alternatives: { en: 'Library at night', zh_CN: '夜晚的图书馆' }, url: 'https://school.test/' },
    { ...slide, alternatives: { en: 'For students' }, categories: ['student'] },
    { ...slide, alternatives: { en: 'Over' }, until: past },
  ]
  expect((await arrange({ carousel })).status).toBe(200)
  expect((await mine(student)).slides).toEqual([
    { picture, alternative: 'Library at night', url: 'https://school.test/' },
    { picture, alternative: 'For students', url: null },
  ])
  expect((await mine(teacher)).slides).toHaveLength(1)
  const chinese = await teacher.call<OwnHomePage>('/home_page/mine/', { headers: { 'accept-language': 'zh-CN' } })
  expect(chinese.data.slides[0]?.alternative).toBe('夜晚的图书馆')
  const { headers } = await fetch(server.url + picture)
  expect(headers.get('content-type')).toBe('image/jpeg')
  const pending = await server.platform.sql`select from files where purpose = 'theme' and pending`
  expect(pending).toHaveLength(0)
})

test('a picture that was never uploaded, or has no text, is rejected by name', async () => {
  const nowhere = `/auth_service/auth_files/preview_file/${'0'.repeat(8)}-0000-8000-8000-${'0'.repeat(12)}`
  const slide = { picture: nowhere, alternatives: { en: 'x' }, url: null, from: null, until: null, categories: [] }
  const answer = await arrange({ carousel: [slide] })
  expect([answer.status, answer.envelope.code]).toEqual([422, 'theme.unknown-picture'])
  expect(JSON.stringify(answer.envelope.data)).toContain('changes.carousel.0.picture')
  for (const wrong of [{ alternatives: {} }, { picture: 'https://cdn.test/x.jpg' }, { url: 'javascript:1' }])
    expect((await arrange({ carousel: [{ ...slide, ...wrong }] })).status, JSON.stringify(wrong)).toBe(400)
})

test('a part is for some user categories, and the applications are for everybody', async () => {
  expect((await arrange({ audiences: { links: ['staff'], recent: ['student'] } })).status).toBe(200)
  expect((await mine(student)).hidden).toEqual(['links'])
  expect((await mine(teacher)).hidden).toEqual(['recent'])
  expect((await arrange({ audiences: { categories: ['staff'] } as never })).status).toBe(400)
})

test('blocks missing in a stored document come after those in it', async () => {
  expect((await arrange({ blocks: ['links', 'categories'] })).status).toBe(200)
  const { blocks } = (await stored()).values
  expect(blocks).toEqual([
    'links',
    'categories',
    'advice',
    'announcements',
    'carousel',
    'mailbox',
    'favourites',
    'recent',
  ])
})

test('a preview shows its draft whatever the audience, only in the browser that stored it', async () => {
  const { values } = await stored()
  const [first] = values.carousel
  if (!first) throw new Error('the carousel is empty')
  const draft = {
    homePage: { ...values, carousel: [{ ...first, categories: ['student'], alternatives: { en: 'Draft' } }] },
  }
  const { data } = await admin.call<{ token: string }>('/login_config/preview/', { body: { token: null, draft } })
  const shown = await mine(admin, `?preview=${data.token}`)
  expect(shown.slides.map(({ alternative }) => alternative)).toEqual(['Draft'])
  expect(shown.hidden).toEqual([])
  expect((await mine(student, `?preview=${data.token}`)).slides.map(({ alternative }) => alternative)).not.toContain(
    'Draft',
  )
})
