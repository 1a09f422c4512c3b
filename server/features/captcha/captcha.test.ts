import { sha256 as portableSha256 } from '@noble/hashes/sha2.js'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { type CaptchaPurpose, Challenge, pictureUrl } from '#shared/contract/captcha.ts'
import { proofOfWorkSolver } from '#shared/rules/proof-of-work.ts'
import { sha256 } from '../../platform/crypto.ts'
import { openPortal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { type CaptchaAnswer, verifyCaptcha } from './captcha.service.ts'
import { takeCaptcha } from './captcha.store.ts'

/** A browser with the cookie from its first answer. */
type Browser = { cookie: string; hash: string }

const contextOf = (server: TestServer) => ({
  ...server.platform,
  db: server.platform.sql,
  caller: null,
  client: { requestId: 'test', ip: '127.0.0.1', userAgent: '', language: 'en' as const },
})

async function load(server: TestServer, path: string, browser?: Browser): Promise<[Response, Browser]> {
  const answer = await fetch(server.url + path, browser ? { headers: { cookie: browser.cookie } } : {})
  const [cookie = ''] = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '')
  if (!cookie && browser) return [answer, browser]
  return [answer, { cookie, hash: sha256(cookie.split('=')[1] ?? '').toString('base64url') }]
}

const newBrowser = async (server: TestServer): Promise<Browser> =>
  (await load(server, pictureUrl('first-of-all', 'login')))[1]

async function picture(server: TestServer, browser: Browser, id: string, purpose: CaptchaPurpose = 'login') {
  const [answer] = await load(server, pictureUrl(id, purpose), browser)
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

/** What a person would read in the picture. */
async function textOf(server: TestServer, browser: Browser, id: string): Promise<string> {
  const entry = await server.platform.state.peek<{ text: string }>('captcha', `${browser.hash}\n${id}`)
  if (!entry) throw new Error('no such picture')
  return entry.text
}

const spend = (
  server: TestServer,
  browser: Browser | null,
  captchaId: unknown,
  captcha: unknown,
  more?: Partial<CaptchaAnswer>,
) => verifyCaptcha(contextOf(server), { purpose: 'login', browser: browser?.hash ?? null, captchaId, captcha, ...more })

async function proofOfWork(server: TestServer, browser: Browser): Promise<{ captchaId: string; captcha: string }> {
  const [answer] = await load(server, '/auth_service/captcha/challenge?purpose=login', browser)
  const { data } = (await answer.json()) as { data: unknown }
  const challenge = Challenge.parse(data)
  if (challenge.kind !== 'proof-of-work') throw new Error('another kind')
  const captcha = proofOfWorkSolver(challenge, portableSha256).step(10_000_000) ?? ''
  return { captchaId: challenge.captchaId, captcha }
}

test('pictures can be drawn after an upload, and uploads work after that', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const upload = async () => {
    const png = await sharp({ create: { width: 30, height: 30, channels: 3, background: '#1d6b45' } })
      .png()
      .toBuffer()
    const form = new FormData()
    form.set('file', new File([new Uint8Array(png)], 'a.png'))
    return (await page.call('/auth_files/upload/', { body: form })).status
  }
  expect(await upload()).toBe(200)
  expect(await sharp(await picture(server, await newBrowser(server), 'after-an-upload')).metadata()).toMatchObject({
    format: 'jpeg',
  })
  expect(await upload()).toBe(200)
})

test('the picture is a JPEG that is not cached, twice as large as shown', async () => {
  const server = await testServer()
  const [answer] = await load(server, pictureUrl('a-picture-of-mine', 'login'))
  expect(answer.headers.get('content-type')).toBe('image/jpeg')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const jpeg = Buffer.from(await answer.arrayBuffer())
  expect(jpeg.subarray(0, 3).toString('hex')).toBe('ffd8ff')
  expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 320, height: 112 })
  const { entropy } = await sharp(jpeg).stats()
  expect(entropy).toBeGreaterThan(2)
})

test('the text of a picture is in none of the answers', async () => {
  const server = await testServer()
  const browser = await newBrowser(server)
  const [answer] = await load(server, pictureUrl('a-picture-of-mine', 'login'), browser)
  const body = Buffer.from(await answer.arrayBuffer()).toString('latin1')
  const text = await textOf(server, browser, 'a-picture-of-mine')
  expect(text).toMatch(/^[ACEFHJKLMPRTUWXY3679]{5}$/)
  expect(`${body}${JSON.stringify([...answer.headers])}`.toUpperCase()).not.toContain(text)
})

test('the text is accepted in small letters, full width and with spaces around', async () => {
  const server = await testServer()
  const browser = await newBrowser(server)
  await picture(server, browser, 'a-picture-of-mine')
  const text = await textOf(server, browser, 'a-picture-of-mine')
  const wide = [...text.toLowerCase()].map((letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)).join('')
  expect(await spend(server, browser, 'a-picture-of-mine', ` ${wide} `)).toBe('right')
})

test('a missing or empty answer is absent, any other shape is wrong, and an absent one does not consume the picture', async () => {
  const server = await testServer()
  const browser = await newBrowser(server)
  await picture(server, browser, 'a-picture-of-mine')
  const text = await textOf(server, browser, 'a-picture-of-mine')
  for (const nothing of [undefined, null, '']) {
    expect(await spend(server, browser, 'a-picture-of-mine', nothing)).toBe('absent')
    expect(await spend(server, browser, nothing, text)).toBe('absent')
  }
  for (const odd of [[text], { text }, 5, true, text.repeat(100)]) {
    expect(await spend(server, browser, 'a-picture-of-mine', odd)).toBe('wrong')
    expect(await spend(server, browser, odd, text)).toBe('wrong')
  }
  expect(await spend(server, browser, 'a-picture-of-mine', text)).toBe('right')
})

test('one answer consumes a picture, whether it was right or wrong', async () => {
  const server = await testServer()
  const browser = await newBrowser(server)
  await picture(server, browser, 'right-at-once')
  const text = await textOf(server, browser, 'right-at-once')
  expect(await spend(server, browser, 'right-at-once', text)).toBe('right')
  expect(await spend(server, browser, 'right-at-once', text)).toBe('wrong')
  await picture(server, browser, 'wrong-at-first')
  const second = await textOf(server, browser, 'wrong-at-first')
  expect(await spend(server, browser, 'wrong-at-first', '00000')).toBe('wrong')
  expect(await spend(server, browser, 'wrong-at-first', second)).toBe('wrong')
})

test('a picture is valid only in the browser that loaded it, for its purpose, and a stranger can not consume it', async () => {
  const server = await testServer()
  const [mine, other] = [await newBrowser(server), await newBrowser(server)]
  await picture(server, mine, 'a-picture-of-mine')
  const text = await textOf(server, mine, 'a-picture-of-mine')
  expect(await spend(server, other, 'a-picture-of-mine', text)).toBe('wrong')
  expect(await spend(server, null, 'a-picture-of-mine', text)).toBe('wrong')
  await picture(server, other, 'a-picture-of-mine')
  expect(await spend(server, mine, 'a-picture-of-mine', text)).toBe('right')
  await picture(server, mine, 'for-a-recovery', 'recovery')
  const recovery = await textOf(server, mine, 'for-a-recovery')
  expect(await spend(server, mine, 'for-a-recovery', recovery)).toBe('wrong')
  expect(await spend(server, mine, 'for-a-recovery', recovery, { purpose: 'recovery' })).toBe('wrong')
})

test('a picture ends after 120 seconds', async () => {
  const server = await testServer()
  const browser = await newBrowser(server)
  await picture(server, browser, 'in-time-for-it')
  await picture(server, browser, 'too-late-for-it')
  const [early, late] = [
    await textOf(server, browser, 'in-time-for-it'),
    await textOf(server, browser, 'too-late-for-it'),
  ]
  server.advance(110)
  expect(await spend(server, browser, 'in-time-for-it', early)).toBe('right')
  server.advance(11)
  expect(await spend(server, browser, 'too-late-for-it', late)).toBe('wrong')
})

test('requesting the same picture again gives another one, and invalidates the former text', async () => {
  const server = await testServer()
  const browser = await newBrowser(server)
  const first = await picture(server, browser, 'a-picture-of-mine')
  const former = await textOf(server, browser, 'a-picture-of-mine')
  const second = await picture(server, browser, 'a-picture-of-mine')
  expect(second.equals(first)).toBe(false)
  expect(await textOf(server, browser, 'a-picture-of-mine')).not.toBe(former)
  expect(await spend(server, browser, 'a-picture-of-mine', former)).toBe('wrong')
})

test('of 100 uses at the same time on two nodes exactly one counts', async () => {
  const server = await testServer()
  const nodes = [server, await server.secondNode()]
  const browser = await newBrowser(server)
  await picture(server, browser, 'a-picture-of-mine')
  const text = await textOf(server, browser, 'a-picture-of-mine')
  const uses = Array.from({ length: 100 }, (_, i) => spend(nodes[i % 2] ?? server, browser, 'a-picture-of-mine', text))
  const answers = await Promise.all(uses)
  expect(answers.filter((answer) => answer === 'right')).toHaveLength(1)
})

test('an id of an invalid shape gets no picture', async () => {
  const server = await testServer()
  for (const id of ['', 'short', 'with space in it', 'x'.repeat(65), '<script>alert(1)</script>']) {
    const [answer] = await load(server, pictureUrl(id, 'login'))
    expect(answer.status).toBe(400)
  }
  const [twice] = await load(server, '/auth_service/pic_captcha.jpg?uuids=first-of-two&uuids=second-of-two')
  expect(twice.status).toBe(400)
  const [other] = await load(server, '/auth_service/pic_captcha.jpg?uuids=long-enough&purpose=nothing')
  expect(other.status).toBe(400)
})

test('an address that requests hundreds of pictures a minute must wait, but never for a proof of work', async () => {
  const server = await testServer()
  const browser = await newBrowser(server)
  for (let i = 0; i < 600; i += 1) await server.platform.state.increment('captcha-drawn-picture', '127.0.0.1', 60)
  const [answer] = await load(server, pictureUrl('one-too-many', 'login'), browser)
  expect(answer.status).toBe(429)
  expect(answer.headers.get('retry-after')).toBe('60')
  expect(await takeCaptcha(contextOf(server), browser.hash, 'one-too-many')).toBeNull()
  const way = await proofOfWork(server, browser)
  expect(await spend(server, browser, way.captchaId, way.captcha)).toBe('right')
  server.advance(61)
  await picture(server, browser, 'one-minute-later')
})

test('a browser without crypto.subtle solves the proof of work, once, in its own browser and in time', async () => {
  const server = await testServer()
  const [mine, other] = [await newBrowser(server), await newBrowser(server)]
  const first = await proofOfWork(server, mine)
  expect(await spend(server, other, first.captchaId, first.captcha)).toBe('wrong')
  expect(await spend(server, mine, first.captchaId, first.captcha)).toBe('right')
  expect(await spend(server, mine, first.captchaId, first.captcha)).toBe('wrong')
  const [second, third] = [await proofOfWork(server, mine), await proofOfWork(server, mine)]
  expect(await spend(server, mine, second.captchaId, third.captcha)).toBe('wrong')
  expect(await spend(server, mine, third.captchaId, third.captcha, { purpose: 'recovery' })).toBe('wrong')
  const late = await proofOfWork(server, mine)
  server.advance(121)
  expect(await spend(server, mine, late.captchaId, late.captcha)).toBe('wrong')
})
