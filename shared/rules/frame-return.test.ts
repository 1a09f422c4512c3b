import { expect, test } from 'vitest'
import { isFailure, returnedAddress } from './frame-return.ts'

const frame = {}
const ownOrigin = 'https://id.school.example'
const callbackUrl = `${ownOrigin}/auth_service/third_party/qywx/callback`
const listening = { frame, ownOrigin, callbackUrl, origin: 'https://open.work.weixin.qq.com', state: 'ours' }
const good = `${callbackUrl}?code=c&state=ours`
const posted = { origin: listening.origin, source: frame, data: good as unknown }

test('the callback is accepted from our frame at the origin of the vendor, and from our own origin within it', () => {
  expect(returnedAddress(listening, posted)).toBe(good)
  expect(returnedAddress(listening, { ...posted, data: { success: true, redirectUrl: good } })).toBe(good)
  expect(returnedAddress(listening, { ...posted, origin: ownOrigin })).toBe(good)
})

test.each([
  ['another origin', { origin: 'https://evil.example' }],
  ['an origin that ends alike', { origin: 'https://evil-open.work.weixin.qq.com' }],
  ['an origin that begins alike', { origin: 'https://open.work.weixin.qq.com.evil.example' }],
  ['the same host without TLS', { origin: 'http://open.work.weixin.qq.com' }],
  ['no origin', { origin: 'null' }],
  ['another window', { source: {} }],
  ['no window', { source: null }],
  ['another state', { data: `${callbackUrl}?code=c&state=theirs` }],
  ['no state', { data: `${callbackUrl}?code=c` }],
  ['two states', { data: `${callbackUrl}?code=c&state=ours&state=theirs` }],
  ['the callback of another provider', { data: good.replace('qywx', 'qq') }],
  ['another page of ours', { data: `${ownOrigin}/fwk_cas_service/logout?state=ours` }],
  ['a way out of the callback', { data: `${callbackUrl}/../../x?code=c&state=ours` }],
  ['another host', { data: good.replace('id.school.example', 'evil.example') }],
  ['our host as a user name', { data: good.replace('id.school.example', 'id.school.example@evil.example') }],
  ['a script', { data: `javascript:alert(1)//${good}` }],
  ['no address', { data: 'ask_usePostMessage' }],
  ['a failure with an address', { data: { success: false, redirectUrl: good } }],
  ['nothing', { data: null }],
])('%s is not listened to', (_what, other) => {
  expect(returnedAddress(listening, { ...posted, ...other })).toBeNull()
})

test('a user name and a fragment in the address are dropped', () => {
  const odd = `${good.replace('https://', 'https://user:word@')}#fragment`
  expect(returnedAddress(listening, { ...posted, data: odd })).toBe(good)
})

test('before there is a frame all messages are ignored', () => {
  expect(returnedAddress({ ...listening, frame: null }, { ...posted, source: null })).toBeNull()
})

test('a failure counts only from the frame and the origin of the vendor', () => {
  const failure = { ...posted, data: { success: false, errorMsg: 'expired' } }
  expect(isFailure(listening, failure)).toBe(true)
  expect(isFailure(listening, { ...failure, origin: ownOrigin })).toBe(false)
  expect(isFailure(listening, { ...failure, source: {} })).toBe(false)
  expect(isFailure(listening, posted)).toBe(false)
})
