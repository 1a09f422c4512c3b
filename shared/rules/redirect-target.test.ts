import { describe, expect, test } from 'vitest'
import {
  canonicalService,
  coversAddress,
  parseOwnAddress,
  parseWebAddress,
  withoutTicket,
  withTicket,
} from './redirect-target.ts'

const HOME = 'https://sso.example.edu/auth_web/'

const OFF_ORIGIN = [
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '///evil.example',
  '//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  '\u0001https://evil.example',
  'ht\ntps://evil.example',
  'http:evil.example',
  'https://evil.example\\@sso.example.edu',
  'https://sso.example.edu@evil.example',
  'https://a@b@evil.example',
  'https://sso.example.edu%2eevil.example',
  'https://sso.example.edu。evil.example',
  'https://ｅvil.example',
  '//evil%E3%80%82example',
  'https://sso.example.edu./auth_web/',
  'https://sso.example.edu:444/auth_web/',
  'http://sso.example.edu/auth_web/',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'java\nscript:alert(1)',
  './\\evil',
  '/auth_webx/',
  '/auth_web/../evil',
  '/auth_web/..;/evil',
  '/auth_web/%2e%2e;/evil',
  '/auth_web/.%2E;x=1/evil',
  '/auth_web/%2e%2e/evil',
  '/auth_web/..%2fevil',
]

test.each(OFF_ORIGIN)('a return address can not leave our pages: %j', (input) => {
  expect(parseOwnAddress(input, HOME)).toBeNull()
})

test('a return address inside our pages is kept, relative or absolute', () => {
  expect(parseOwnAddress('/auth_web/my-apps?x=1#top', HOME)).toBe('https://sso.example.edu/auth_web/my-apps?x=1#top')
  expect(parseOwnAddress('https://sso.example.edu/auth_web/', HOME)).toBe(HOME)
  expect(parseOwnAddress('https://sso.example.edu/auth_web', HOME)).toBe('https://sso.example.edu/auth_web')
})

const NOT_A_SERVICE = [
  'javascript:alert(1)',
  'https:/app.example.edu/',
  'https:app.example.edu',
  '//app.example.edu/',
  '/relative',
  'https://user@app.example.edu/',
  'https://user:pw@app.example.edu/',
  'https://app.example.edu\\@evil.example/',
  'https://app.example.edu./',
  'https://app.example.edu/\r\nSet-Cookie:x',
  'ftp://app.example.edu/',
  'https://*',
  'https://*/',
  'https://*.example.edu/',
  'https://%2a.example.edu/',
  'https://＊.example.edu/',
  'https://app..example.edu/',
  'https://.example.edu/',
  'https:///x',
  'https://:443/',
  "https://a'b.example.edu/",
  `https://${'a'.repeat(64)}.example.edu/`,
  'https://',
  '',
]

test.each(NOT_A_SERVICE)('%j is not an address of an application', (input) => {
  expect(parseWebAddress(input)).toBeNull()
})

test.each(['http://localhost:9001/', 'http://127.0.0.1/', 'http://[::1]/', 'https://intern_1/', 'https://图书馆.cn/'])(
  '%j is an address of an application',
  (input) => {
    expect(parseWebAddress(input)).not.toBeNull()
  },
)

describe('a registered address', () => {
  const covers = (registered: string, service: string) => {
    const url = parseWebAddress(service)
    return url !== null && coversAddress(registered, url)
  }

  test('without /** covers exactly itself', () => {
    expect(covers('https://app.example.edu/login?x=1', 'https://app.example.edu/login?x=1')).toBe(true)
    expect(covers('https://app.example.edu/login', 'https://APP.example.edu:443/login')).toBe(true)
    expect(covers('https://app.example.edu/login', 'https://app.example.edu/login?x=1')).toBe(false)
    expect(covers('https://app.example.edu/login', 'https://app.example.edu/login/')).toBe(false)
    expect(covers('https://app.example.edu/login', 'http://app.example.edu/login')).toBe(false)
    for (const fragment of ['#', '#/other', '#?x']) {
      expect(covers('https://app.example.edu/login', `https://app.example.edu/login${fragment}`)).toBe(false)
    }
  })

  test('with /** covers its folder and whole segments below it, with any query and fragment', () => {
    const registered = 'https://app.example.edu/a/**'
    for (const service of ['/a', '/a/', '/a/b?c=d', '/a/b/c', '/a/#/b'])
      expect(covers(registered, `https://app.example.edu${service}`)).toBe(true)
    const climbing = ['/a/../b', '/a/%2e%2e/b', '/a/..;/b', '/a/%2e%2e;/b', '/a/.%2E%3bx/b', '/a/..%2fb', '/a/..%5cb']
    for (const service of ['/', '/ab', ...climbing]) {
      expect(covers(registered, `https://app.example.edu${service}`)).toBe(false)
    }
    expect(covers(registered, 'https://app.example.edu.evil.example/a/')).toBe(false)
    expect(covers('https://app.example.edu/**', 'https://app.example.edu')).toBe(true)
    expect(covers('https://app.example.edu/#/**', 'https://app.example.edu/x')).toBe(false)
  })
})

test('two spellings of one service compare equal, two services never', () => {
  const form = (service: string) => canonicalService(new URL(service))
  expect(form('HTTPS://App.Example.edu:443/x;jsessionid=AB12?y#z')).toBe(form('https://app.example.edu/x?y'))
  expect(form('https://app.example.edu/x?y=%7B')).not.toBe(form('https://app.example.edu/x?y={'))
})

test('tickets that a client left in its address do not change the service', () => {
  const form = (service: string) => canonicalService(new URL(service))
  for (const left of ['ticket=ST-1', 'SAMLart=ST-1', 'ticket=ST-1&ticket=ST-2', 'ticket'])
    expect(form(`https://a.edu/x?${left}&y=1`)).toBe('https://a.edu/x?y=1')
  expect(form('https://a.edu/x?ticket=ST-1')).toBe('https://a.edu/x')
  expect(form('https://a.edu/x?tickets=1&Ticket=2')).toBe('https://a.edu/x?tickets=1&Ticket=2')
})

test('an address without its ticket is otherwise the same', () => {
  expect(withoutTicket('https://a.edu/x?y=%7B+&ticket=ST-0&&z#ticket=1')).toBe('https://a.edu/x?y=%7B+&&z#ticket=1')
  expect(withoutTicket('https://a.edu/x?ticket=ST-0')).toBe('https://a.edu/x')
  expect(withoutTicket('https://a.edu/x?#f')).toBe('https://a.edu/x?#f')
})

test('a ticket goes before the fragment, once, and changes nothing else', () => {
  expect(withTicket('https://a.edu/x?ticket=ST-0', 'ST-1', 'SAMLart')).toBe('https://a.edu/x?SAMLart=ST-1')
  expect(withTicket('https://a.edu/x', 'ST-1')).toBe('https://a.edu/x?ticket=ST-1')
  expect(withTicket('https://a.edu/x?y=%7B+&ticket=ST-0&z#f', 'ST-1')).toBe('https://a.edu/x?y=%7B+&z&ticket=ST-1#f')
})
