import sharp from 'sharp'
import { expect, test } from 'vitest'
import { SliderChallenge, type TrackPoint } from '#shared/contract/captcha.ts'
import { sha256 } from '../../platform/crypto.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { signedFetch } from '../../testing/signed.ts'
import { type CaptchaAnswer, verifyCaptcha } from './captcha.service.ts'

type Browser = { cookie: string; hash: string }

const contextOf = (server: TestServer) => ({
  ...server.platform,
  db: server.platform.sql,
  caller: null,
  client: { requestId: 'test', ip: '127.0.0.1', userAgent: '', language: 'en' as const },
})

/** A slider, its browser, and the target of its piece. Two seconds pass, as when a person moves it. */
async function slider(server: TestServer, browser?: Browser, purpose = 'login') {
  const answer = await signedFetch(server, `/gen?purpose=${purpose}`, browser ? { cookie: browser.cookie } : {})
  const challenge = SliderChallenge.parse(((await answer.json()) as { data: unknown }).data)
  const [cookie = browser?.cookie ?? ''] = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '')
  const owner: Browser = { cookie, hash: sha256(cookie.split('=')[1] ?? '').toString('base64url') }
  const slide = await server.platform.state.peek<{ target: number }>(
    'captcha-slide',
    `${owner.hash}\n${challenge.captchaId}`,
  )
  if (!slide) throw new Error('no such slider')
  server.advance(3)
  return { challenge, browser: owner, target: slide.target }
}

async function check(server: TestServer, browser: Browser | null, captchaId: string, track: unknown) {
  const answer = await signedFetch(server, '/check', {
    body: { captchaId, track },
    ...(browser && { cookie: browser.cookie }),
  })
  const { data, code } = (await answer.json()) as { data: { captchaId: string; captcha: string }; code?: string }
  return { status: answer.status, data, code }
}

const spend = (
  server: TestServer,
  browser: Browser,
  proof: { captchaId: string; captcha: string },
  more?: Partial<CaptchaAnswer>,
) => verifyCaptcha(contextOf(server), { purpose: 'login', browser: browser.hash, ...proof, ...more })

/** A drag as a hand makes it: fast, then slower, slightly past the target and back. */
function handTrack(target: number): TrackPoint[] {
  const points = Array.from({ length: 30 }, (_, i) => {
    const part = (i + 1) / 30
    const x = (target + 3) * (1 - (1 - part) ** 2)
    return { x: Math.round(x), y: Math.round(Math.sin(i / 4) * 3), t: 12 + i * 26 + (i % 3) * 4 }
  })
  return [{ x: 0, y: 0, t: 0 }, ...points, { x: target + 1, y: 2, t: 870 }, { x: target, y: 2, t: 930 }]
}

/** Arrow keys: a key held down, then single steps. */
function keyTrack(target: number): TrackPoint[] {
  const track: TrackPoint[] = [{ x: 0, y: 0, t: 0 }]
  let [x, t] = [0, 420]
  while (x + 10 <= target) {
    x += 10
    track.push({ x, y: 0, t })
    t += 33
  }
  while (x < target) {
    x += 1
    t += 120 + (x % 3) * 15
    track.push({ x, y: 0, t })
  }
  return track
}

test('the slider shows a drawn landscape and a piece of it, and reveals nothing about its target', async () => {
  const server = await testServer()
  const { challenge } = await slider(server)
  const bytes = (url: string) => Buffer.from(url.split(',', 2)[1] ?? '', 'base64')
  const { width, height, pieceWidth, pieceHeight } = challenge
  expect(await sharp(bytes(challenge.backgroundImage)).metadata()).toMatchObject({
    format: 'jpeg',
    width: width * 2,
    height: height * 2,
  })
  expect(await sharp(bytes(challenge.sliderImage)).metadata()).toMatchObject({
    format: 'png',
    width: pieceWidth * 2,
    height: pieceHeight * 2,
    hasAlpha: true,
  })
  expect(Object.keys(challenge).sort()).toEqual([
    'backgroundImage',
    'captchaId',
    'height',
    'kind',
    'pieceHeight',
    'pieceTop',
    'pieceWidth',
    'secondsLeft',
    'sliderImage',
    'width',
  ])
})

test('a piece moved into place by hand, at most five pixels off, is valid for exactly one form', async () => {
  const server = await testServer()
  for (const off of [0, 5, -5]) {
    const { challenge, browser, target } = await slider(server)
    const { status, data } = await check(server, browser, challenge.captchaId, handTrack(target + off))
    expect(status).toBe(200)
    const uses = await Promise.all(Array.from({ length: 20 }, () => spend(server, browser, data)))
    expect(uses.filter((answer) => answer === 'right')).toHaveLength(1)
  }
  for (const off of [6, -6]) {
    const { challenge, browser, target } = await slider(server)
    expect(await check(server, browser, challenge.captchaId, handTrack(target + off))).toMatchObject({
      status: 422,
      code: 'captcha.wrong',
    })
  }
})

test('the slider can be solved with the arrow keys', async () => {
  const server = await testServer()
  const { challenge, browser, target } = await slider(server)
  const { status, data } = await check(server, browser, challenge.captchaId, keyTrack(target))
  expect(status).toBe(200)
  expect(await spend(server, browser, data)).toBe('right')
})

test('a slider is checked once: not again after a right one, not after a wrong one, not twice at the same time', async () => {
  const server = await testServer()
  const first = await slider(server)
  const twice = await Promise.all(
    [1, 2].map(() => check(server, first.browser, first.challenge.captchaId, handTrack(first.target))),
  )
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 422])
  expect((await check(server, first.browser, first.challenge.captchaId, handTrack(first.target))).status).toBe(422)
  const second = await slider(server)
  expect((await check(server, second.browser, second.challenge.captchaId, handTrack(20))).status).toBe(422)
  expect((await check(server, second.browser, second.challenge.captchaId, handTrack(second.target))).status).toBe(422)
})

const FORGED: Record<string, (target: number) => TrackPoint[]> = {
  'no points': () => [],
  'only the end': (target) => [{ x: target, y: 0, t: 900 }],
  'one jump': (target) => [0, 1, 2, target, target].map((x, i) => ({ x, y: i, t: i * 200 })),
  'a straight line in equal steps': (target) =>
    Array.from({ length: 21 }, (_, i) => ({ x: (target * i) / 20, y: 0, t: i * 40 })),
  'a straight line at one speed': (target) =>
    [0, 0.1, 0.15, 0.3, 0.6, 0.75, 1].map((part) => ({ x: target * part, y: 1, t: part * 900 })),
  'all points the same': (target) => Array.from({ length: 20 }, (_, i) => ({ x: target, y: 0, t: i * 40 })),
  'time running backwards': (target) => handTrack(target).map((point, i) => (i === 9 ? { ...point, t: 5 } : point)),
  'faster than a hand': (target) => handTrack(target).map((point) => ({ ...point, t: point.t / 10 })),
  'longer than the time that has passed': (target) => handTrack(target).map((point) => ({ ...point, t: point.t * 10 })),
  'keys like clockwork': (target) => keyTrack(target).map((point, i) => ({ ...point, t: i * 33 })),
}

for (const [name, forge] of Object.entries(FORGED)) {
  test(`a forged track is refused: ${name}`, async () => {
    const server = await testServer()
    const { challenge, browser, target } = await slider(server)
    expect((await check(server, browser, challenge.captchaId, forge(target))).status).toBe(422)
  })
}

test('a track of the wrong shape is rejected without consuming the slider', async () => {
  const server = await testServer()
  const { challenge, browser, target } = await slider(server)
  const endless = Array.from({ length: 1501 }, (_, i) => ({ x: i, y: 0, t: i }))
  for (const track of [null, 'left', [[1, 2, 3]], [{ x: '1', y: 0, t: 0 }], [{ x: 1e9, y: 0, t: 0 }], endless]) {
    expect((await check(server, browser, challenge.captchaId, track)).status).toBe(400)
  }
  expect((await check(server, browser, challenge.captchaId, handTrack(target))).status).toBe(200)
})

test('slider and proof belong to one browser and one purpose, each for 120 seconds', async () => {
  const server = await testServer()
  const mine = await slider(server)
  const other = await slider(server)
  expect((await check(server, other.browser, mine.challenge.captchaId, handTrack(mine.target))).status).toBe(422)
  expect((await check(server, null, mine.challenge.captchaId, handTrack(mine.target))).status).toBe(422)
  const proof = await check(server, mine.browser, mine.challenge.captchaId, handTrack(mine.target))
  expect(await spend(server, other.browser, proof.data)).toBe('wrong')
  expect(await spend(server, mine.browser, { ...proof.data, captcha: 'x'.repeat(32) })).toBe('wrong')
  expect(await spend(server, mine.browser, proof.data)).toBe('wrong')
  const login = await slider(server, mine.browser)
  const forLogin = await check(server, mine.browser, login.challenge.captchaId, handTrack(login.target))
  expect(await spend(server, mine.browser, forLogin.data, { purpose: 'verification-code' })).toBe('wrong')
  const kept = await slider(server, mine.browser)
  const old = await check(server, mine.browser, kept.challenge.captchaId, handTrack(kept.target))
  server.advance(121)
  expect(await spend(server, mine.browser, old.data)).toBe('wrong')
  const late = await slider(server, mine.browser)
  server.advance(121)
  expect((await check(server, mine.browser, late.challenge.captchaId, handTrack(late.target))).status).toBe(422)
})
