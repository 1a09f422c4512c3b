import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SchoolGateway } from '#shared/contract/appearance.ts'
import type { Change } from '#shared/contract/change-history.ts'
import type { MailState, queryMessageGateways } from '#shared/contract/message-gateways.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import type { InstitutionDetails } from '#shared/contract/system-settings.ts'
import type { Output } from '../../platform/http/mount.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { signedFetch } from '../../testing/signed.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

let server: TestServer
let page: Portal
beforeAll(async () => {
  server = await startTestServer()
  page = await openPortal(server, { account: 'principal', isSuperUser: true })
})
afterAll(() => server.close())

const details = async () => (await page.call<InstitutionDetails>('/institution/details/')).data
const save = async (changes: object, logo?: string | null, icon?: string | null) =>
  await page.call<InstitutionDetails>('/institution/update/', {
    body: { version: (await details()).version, changes, logo, icon },
  })
const pictureOf = async (background: string) =>
  (
    await sharp({ create: { width: 40, height: 40, channels: 3, background } })
      .png()
      .toBuffer()
  ).toString('base64')
const shown = async () =>
  ((await (await signedFetch(server, '/school_gateway/query/')).json()) as { data: SchoolGateway }).data

test('saved institution settings are on every page at once, in the history, and can be rolled back', async () => {
  expect(await details()).toMatchObject({ version: 0, setByFile: [], values: { names: {}, logo: null } })
  await save({ names: { en: 'Riverside' }, helpUrl: 'https://help.school.test/' })
  expect(await shown()).toMatchObject({ schoolName: 'Riverside', helpUrl: 'https://help.school.test/' })
  await save({ names: { en: 'Riverside College', zh_TW: '河岸學院' }, helpUrl: null })
  expect((await details()).values).toMatchObject({
    names: { en: 'Riverside College', zh_TW: '河岸學院' },
    helpUrl: null,
  })
  const query = '/change_history/query/?targetKind=settings&targetId=gateway'
  const [last] = (await page.call<{ records: Change[] }>(query)).data.records
  const { version } = await details()
  const body = { at: last?.at, side: 'before', version, reason: 'Went wrong' }
  expect((await page.call(`/change_history/${last?.id}/roll_back/`, { body })).status).toBe(200)
  expect(await shown()).toMatchObject({ schoolName: 'Riverside' })
})

test('a logo is re-encoded and becomes logo and favicon; without one the shipped one is back', async () => {
  const { data } = await save({}, await pictureOf('#205081'))
  expect(data.values.logo).toMatch(/^\/auth_service\/auth_files\//)
  expect(data.values.pageLabelLogo).toBe(data.values.logo)
  expect((await save({}, Buffer.from('no picture').toString('base64'))).envelope.code).toBe('file.unreadable-picture')
  expect((await save({}, null)).data.values).toMatchObject({ logo: null, pageLabelLogo: null })
})

test('the tab has an icon of its own once one is set, whatever happens to the logo', async () => {
  const [logo, icon] = [await pictureOf('#205081'), await pictureOf('#a8452c')]
  const first = (await save({}, logo, icon)).data.values
  expect(first.pageLabelLogo).toMatch(/^\/auth_service\/auth_files\//)
  expect(first.pageLabelLogo).not.toBe(first.logo)
  expect(await shown()).toMatchObject({ logo: first.logo, pageLabelLogo: first.pageLabelLogo })
  const html = await (await fetch(`${server.url}/auth_web/login?service=`)).text()
  expect(html).toContain(`<link rel="icon" href="${first.pageLabelLogo}">`)
  const other = (await save({}, await pictureOf('#1d6b45'))).data.values
  expect(other.logo).not.toBe(first.logo)
  expect(other.pageLabelLogo).toBe(first.pageLabelLogo)
  expect((await save({}, null)).data.values).toMatchObject({ logo: null, pageLabelLogo: first.pageLabelLogo })
  const again = (await save({}, logo)).data.values
  expect((await save({}, undefined, null)).data.values).toMatchObject({ logo: again.logo, pageLabelLogo: again.logo })
  expect((await save({}, undefined, 'bm8gcGljdHVyZQ==')).envelope.code).toBe('file.unreadable-picture')
  await save({}, null, null)
})

test('unreadable institution settings are returned as pages show them', async () => {
  const { sql, cache } = server.platform
  const [kept] = await sql`select value from settings where name = 'gateway'`
  const broken = { ...kept?.['value'], logo: 7, unknown: true }
  await sql`update settings set value = ${JSON.stringify(broken)}::text::jsonb where name = 'gateway'`
  await cache.invalidate(sql, 'settings')
  expect((await details()).values).toMatchObject({ logo: null })
  await sql`update settings set value = ${JSON.stringify(kept?.['value'])}::text::jsonb where name = 'gateway'`
  await cache.invalidate(sql, 'settings')
})

test('of two editors the second is shown the current state: institution and gateways alike', async () => {
  const { version } = await details()
  await save({ contacts: { en: 'Room 3' } })
  const late = await page.call('/institution/update/', { body: { version, changes: { contacts: { en: 'Room 4' } } } })
  expect(late).toMatchObject({ status: 409, envelope: { code: 'version.conflict' } })
  expect(late.data).toEqual({ current: await details() })
  const mail = { host: 'mail.school.test', port: 25, security: 'none', from: 'a@school.test', user: 'a', password: 'b' }
  const first = await page.call('/message_gateways/save_mail/', { body: { version: 0, gateway: mail } })
  expect(first.status).toBe(200)
  const second = await page.call<{ current: MailState }>('/message_gateways/save_mail/', {
    body: { version: 0, gateway: { ...mail, host: 'other.school.test' } },
  })
  expect(second).toMatchObject({ status: 409, envelope: { code: 'version.conflict' } })
  expect(second.data.current).toMatchObject({ version: 1, gateway: { ...mail, password: SECRET_PLACEHOLDER } })
  const { data } = await page.call<Output<typeof queryMessageGateways>>('/message_gateways/query/')
  expect(data.mail.gateway?.host).toBe('mail.school.test')
})

test('what the bootstrap file sets is named and rejected; the rest is saved', async () => {
  const start = (names: object | null) =>
    applyBootstrap(server.platform, { settings: { gateway: names ? { names } : {} } }, { source: 'file', isFile: true })
  await start({ en: 'By the file' })
  expect((await details()).setByFile).toEqual(['names'])
  const refused = await save({ names: { en: 'By hand' } })
  expect(refused).toMatchObject({ status: 409, envelope: { code: 'settings.set-by-file' } })
  expect((await save({ contacts: { en: 'Room 5' } })).status).toBe(200)
  await start(null)
  expect((await save({ names: { en: 'By hand' } })).status).toBe(200)
})

test('a hostile link or name is rejected at its field', async () => {
  const script = 'javascript:alert(1)'
  expect((await save({ helpUrl: script })).data).toMatchObject({ fields: [{ field: 'changes.helpUrl' }] })
  expect((await save({ names: { en: 'x'.repeat(61) } })).data).toMatchObject({
    fields: [{ field: 'changes.names.en' }],
  })
  expect((await save({ logo: '/evil' })).status).toBe(400)
})

test('the addresses show what the server was started with and how the request arrived, to super users only', async () => {
  const { data } = await page.call('/system_settings/addresses/')
  expect(data).toEqual({ publicUrl: server.url, protocol: 'http', ip: '127.0.0.1', trustedProxies: [] })
  const helper = await openPortal(server, { permissions: ['edit'] })
  for (const path of ['/system_settings/addresses/', '/institution/details/', '/message_gateways/query/']) {
    expect((await helper.call(path)).status).toBe(403)
  }
})
