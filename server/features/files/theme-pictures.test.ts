import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import type { Theme } from '#shared/contract/themes.ts'
import { DEFAULT_BACKGROUND, DEFAULT_DESIGN } from '#shared/rules/theme-design.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { purgeUploads } from './index.ts'

let server: TestServer
let admin: Portal
beforeAll(async () => {
  server = await startTestServer()
  admin = await openPortal(server, { isSuperUser: true })
  return () => server.close()
})

const upload = (bytes: Buffer, page: Portal = admin, name = 'campus.png') => {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(bytes)], name, { type: 'image/png' }))
  return page.call<{ id: string; url: string }>('/auth_files/upload/?purpose=theme', { body: form })
}
const drawn = (width: number, height: number, background = '#a8452c') =>
  sharp({ create: { width, height, channels: 3, background } })
const served = async (url: string) => Buffer.from(await (await fetch(server.url + url)).arrayBuffer())

test('a picture of a theme is re-encoded: smaller if it is large, upright, without anything else in the file', async () => {
  const exif = { IFD0: { ImageDescription: '<script>alert(1)</script>' } }
  const lying = drawn(3200, 1600).jpeg().withExif(exif).withMetadata({ orientation: 6 })
  const { data } = await upload(await lying.toBuffer())
  const bytes = await served(data.url)
  const { format, width, height, exif: kept } = await sharp(bytes).metadata()
  expect({ format, width, height, kept }).toEqual({ format: 'jpeg', width: 1000, height: 2000, kept: undefined })
  expect(bytes.includes('script')).toBe(false)
})

test('the same picture is stored once, whoever uploads it', async () => {
  const png = await drawn(640, 480, '#1f4b99').png().toBuffer()
  const first = await upload(png)
  const other = await openPortal(server, { isSuperUser: true })
  const second = await upload(png, other, 'another-name.png')
  expect(second.data.url).toBe(first.data.url)
  const [row] = await server.platform.sql`select count(*)::int as count from files where id = ${first.data.id}`
  expect(row).toEqual({ count: 1 })
})

test.each([
  ['svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['css', Buffer.from('body{display:none}')],
  ['html', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['gif', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')],
])('%s is no picture of a theme', async (_kind, bytes) => {
  const answer = await upload(bytes)
  expect([answer.status, answer.envelope.code]).toEqual([422, 'file.unreadable-picture'])
})

test('more than 6 MB are rejected, and only super users can upload one', async () => {
  const answer = await upload(Buffer.alloc(6 * 1024 * 1024 + 1))
  expect([answer.status, answer.envelope.code]).toEqual([413, 'file.too-large'])
  const png = await drawn(8, 8).png().toBuffer()
  expect((await upload(png, await openPortal(server))).status).toBe(403)
})

test('a picture that no theme uses is deleted after a day; a used one stays', async () => {
  const taken = (await upload(await drawn(90, 90, '#225533').png().toBuffer())).data
  const left = (await upload(await drawn(90, 90, '#552233').png().toBuffer())).data
  const { data: theme } = await admin.call<Theme>('/login_config/create/', { body: { name: 'With a picture' } })
  const background = { ...DEFAULT_BACKGROUND, kind: 'picture', file: taken.url }
  const body = { version: theme.version, name: theme.name, draft: { ...DEFAULT_DESIGN, background } }
  expect((await admin.call(`/login_config/themes/${theme.id}/update/`, { body })).status).toBe(200)
  server.advance(25 * 3600)
  await purgeUploads(server.platform)
  const statuses = await Promise.all([taken, left].map(async ({ url }) => (await fetch(server.url + url)).status))
  expect(statuses).toEqual([200, 404])
})
