import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { openPortal, type Portal, type Reply } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { signedFetch } from '../../testing/signed.ts'
import { purgeUploads } from './index.ts'

let server: TestServer
let png: Buffer
let jpeg: Buffer
let own: Portal
beforeAll(async () => {
  server = await startTestServer()
  const drawn = sharp({ create: { width: 640, height: 480, channels: 3, background: '#a8452c' } })
  const exif = { IFD0: { ImageDescription: '<script>alert(1)</script>' } }
  png = await drawn.clone().png().withExif(exif).toBuffer()
  jpeg = await drawn.clone().jpeg().withExif(exif).withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>').toBuffer()
  own = await openPortal(server)
  return () => server.close()
})

type Uploaded = { id: string; url: string }

function upload(
  page: Portal,
  bytes: Uint8Array,
  { name = 'me.png', type = 'image/png' } = {},
): Promise<Reply<Uploaded>> {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(bytes)], name, { type }))
  return page.call<Uploaded>('/auth_files/upload/?purpose=avatar', { body: form })
}

const outcome = ({ status, envelope }: Reply) => [status, envelope.code]
const filesOf = (page: Portal) =>
  server.platform.sql<{ id: string; bytes: Buffer; contentType: string }[]>`
    select id, bytes, content_type from files where owner_id = ${page.user.userId}`

const chunk = (type: string, data: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  // The reader never gets to the checksum of what it rejects.
  return Buffer.concat([length, Buffer.from(type), data, crc(Buffer.concat([Buffer.from(type), data]))])
}

function crc(bytes: Buffer): Buffer {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  }
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE((value ^ 0xffffffff) >>> 0)
  return sum
}

/** A png of any size with identical pixels: a few kilobytes that decode to gigabytes. */
function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(1_000_000))
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

test.each([
  ['png', () => png],
  ['jpeg', () => jpeg],
] as const)('a %s becomes 256 × 256 pixels without any metadata, served as what it is', async (_, bytes) => {
  const page = await openPortal(server)
  const { status, data } = await upload(page, bytes())
  expect(status).toBe(200)
  const answer = await fetch(server.url + data.url)
  const stored = Buffer.from(await answer.arrayBuffer())
  const found = await sharp(stored).metadata()
  expect([found.width, found.height]).toEqual([256, 256])
  expect(found.exif ?? found.xmp ?? found.icc ?? found.iptc).toBeUndefined()
  expect(stored.includes('script')).toBe(false)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': `image/${found.format}`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=31536000, immutable',
    'content-security-policy': expect.stringContaining('sandbox'),
  })
})

test('a second format behind or inside a picture is not stored', async () => {
  const page = await openPortal(server)
  const script = Buffer.from('<html><script>alert(1)</script></html>')
  const inside = png.subarray(0, png.length - 12)
  const polyglots = [
    Buffer.concat([png, script]),
    Buffer.concat([jpeg, script]),
    Buffer.concat([inside, chunk('tEXt', script), png.subarray(png.length - 12)]),
    Buffer.concat([jpeg, Buffer.from('PK\u0003\u0004 zip')]),
  ]
  for (const bytes of polyglots) expect((await upload(page, bytes)).status).toBe(200)
  const [file, ...more] = await filesOf(page)
  expect(more).toEqual([])
  expect(file?.bytes.includes('script')).toBe(false)
  expect(file?.bytes.includes('PK\u0003\u0004')).toBe(false)
})

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>'
const NO_PICTURES: [string, () => Buffer | Promise<Buffer>][] = [
  ['an svg called png', () => Buffer.from(svg)],
  ['an svg behind the signature of a png', () => Buffer.concat([png.subarray(0, 8), Buffer.from(svg)])],
  [
    'an svg behind the beginning of a webp',
    () => Buffer.concat([Buffer.from('RIFF\x7f\0\0\0WEBP', 'latin1'), Buffer.from(svg)]),
  ],
  ['a gif with a script', () => Buffer.from('GIF89a/*\0*/=1;alert(1)')],
  ['a webp', () => sharp(png).webp().toBuffer()],
  ['an animated gif', () => sharp(png).gif().toBuffer()],
  ['a tiff', () => sharp(png).tiff().toBuffer()],
  ['half a png', () => png.subarray(0, png.length / 2)],
  ['half a jpeg', () => jpeg.subarray(0, jpeg.length / 2)],
  ['only a signature', () => png.subarray(0, 8)],
  ['50,000 × 50,000 pixels', () => hugePng(50_000, 50_000)],
  ['6,000 × 6,000 pixels', () => hugePng(6000, 6000)],
  ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['nothing', () => Buffer.alloc(0)],
]

test.each(NO_PICTURES)('%s is refused and nothing is stored', async (_, bytes) => {
  const page = await openPortal(server)
  expect(outcome(await upload(page, await bytes()))).toEqual([422, 'file.unreadable-picture'])
  expect(await filesOf(page)).toEqual([])
})

test('a picture with a wrong extension or type is recognised by its content', async () => {
  const page = await openPortal(server)
  expect((await upload(page, jpeg, { name: 'x.exe', type: 'text/html' })).status).toBe(200)
  expect((await filesOf(page))[0]?.contentType).toBe('image/jpeg')
})

const NAMES = [
  '../../../../tmp/gatehouse-evil.png',
  '..\\..\\evil.png',
  '/etc/gatehouse-evil.png',
  'a\u0000.png',
  'CON.png',
  `${'x'.repeat(300)}.png`,
  '\u202egnp.exe',
  '<img src=x onerror=alert(1)>.png',
]

test.each(NAMES)('the name %j is never used for anything', async (name) => {
  const page = await openPortal(server)
  const before = readdirSync(tmpdir()).filter((file) => file.includes('evil'))
  const { status, data } = await upload(page, png, { name })
  expect(status).toBe(200)
  expect(data.url).toMatch(/^\/auth_service\/auth_files\/preview_file\/[\da-f-]{36}$/)
  expect(readdirSync(tmpdir()).filter((file) => file.includes('evil'))).toEqual(before)
  const saved = await page.call(`/auth_files/download/${data.id}`)
  expect(saved.headers.get('content-disposition')).toMatch(/^attachment; filename="avatar\.(png|jpg)"$/)
})

test('2 MB are accepted and a byte more is not, rejected early if the request declares its length', async () => {
  const page = await openPortal(server)
  const filled = (size: number) => Buffer.concat([png, Buffer.alloc(size - png.length)])
  expect((await upload(page, filled(2 * 1024 * 1024))).status).toBe(200)
  const refused = await upload(page, filled(2 * 1024 * 1024 + 1))
  expect(outcome(refused)).toEqual([413, 'file.too-large'])
  expect(refused.envelope.message).toContain('2 MB')
  expect(outcome(await upload(page, filled(9 * 1024 * 1024)))).toEqual([413, 'file.too-large'])
})

test('an invalid or broken upload is rejected without waiting', async () => {
  const send = (body: unknown, headers = {}) => own.call('/auth_files/upload/', { method: 'POST', body, headers })
  expect(outcome(await send({}))).toEqual([415, 'request.unsupported-media-type'])
  const empty = new FormData()
  empty.set('purpose', 'avatar')
  expect(outcome(await send(empty))).toEqual([400, 'request.malformed'])
  const text = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
  for (const body of ['', '--x--\r\n', text, `${text}abc`]) {
    const answer = await own.call('/auth_files/upload/', {
      method: 'POST',
      rawBody: body || ' ',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect([400, 403]).toContain(answer.status)
  }
  const crowd = new FormData()
  for (let i = 0; i < 50; i++) crowd.set(`field${i}`, 'x')
  crowd.set('file', new File([new Uint8Array(png)], 'a.png'))
  expect((await send(crowd)).status).toBeGreaterThanOrEqual(400)
})

test('a multipart body is accepted only by the upload', async () => {
  const form = new FormData()
  form.set('nick', 'x')
  expect((await own.call(`/user_information/${own.user.userId}/user_nick/`, { body: form })).status).toBe(415)
})

test('one unused upload is kept per person, for a day, and uploads per hour are limited', async () => {
  const page = await openPortal(server)
  const answers = await Promise.all(Array.from({ length: 4 }, () => upload(page, jpeg)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await filesOf(page)).toHaveLength(1)
  const codes = []
  for (let i = 0; i < 30; i++) codes.push((await upload(page, jpeg)).envelope.code)
  expect(codes.filter(Boolean)).toEqual(Array(4).fill('file.too-many-uploads'))
  await purgeUploads(server.platform)
  expect(await filesOf(page)).toHaveLength(1)
  await server.platform
    .sql`update files set created_at = created_at - interval '25 hours' where owner_id = ${page.user.userId}`
  await purgeUploads(server.platform)
  expect(await filesOf(page)).toEqual([])
})

test('when too many pictures arrive some are rejected early, with a retry time', async () => {
  const pages = await Promise.all(Array.from({ length: 24 }, () => openPortal(server)))
  const large = await sharp({ create: { width: 4000, height: 4000, channels: 3, background: '#1f4b99' } })
    .jpeg()
    .toBuffer()
  const answers = await Promise.all(pages.map((page) => upload(page, large)))
  const states = answers.map(({ status }) => status)
  expect(states.every((status) => status === 200 || status === 503)).toBe(true)
  expect(states).toContain(200)
  expect(states).toContain(503)
  expect(answers.find(({ status }) => status === 503)?.headers.get('retry-after')).toBe('2')
})

test('an upload requires the session, and its purpose is part of the signature', async () => {
  const form = () => {
    const data = new FormData()
    data.set('file', new File([new Uint8Array(png)], 'a.png'))
    return data
  }
  const answer = await signedFetch(server, '/auth_files/upload/', { body: form() })
  expect(answer.status).toBe(401)
  expect((await own.call('/auth_files/upload/?purpose=institution', { body: form() })).status).toBe(400)
})

test('a download answers the owner alone', async () => {
  const { data } = await upload(own, png)
  const stranger = await openPortal(server)
  expect((await own.call(`/auth_files/download/${data.id}`)).status).toBe(200)
  expect(outcome(await stranger.call(`/auth_files/download/${data.id}`))).toEqual([404, 'file.not-found'])
  expect((await fetch(`${server.url}/auth_service/auth_files/download/${data.id}`)).status).toBe(401)
  for (const id of ['..%2f..%2fetc%2fpasswd', 'x', '%00', "' or 1=1"]) {
    const answer = await fetch(`${server.url}/auth_service/auth_files/preview_file/${id}`)
    expect([400, 404]).toContain(answer.status)
  }
})
