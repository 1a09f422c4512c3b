import { XmlDocument } from 'libxml2-wasm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../../testing/browser.ts'
import { ticketFor } from '../../testing/cas.ts'
import { addCasApplication, addPerson, logIn } from '../../testing/people.ts'
import { startTestServer, type TestServer, testServer } from '../../testing/server.ts'

const TARGET = 'http://library.test/start?a=1&b=2'
type Body = string | Uint8Array<ArrayBuffer>
const NAMESPACES = {
  p: 'urn:oasis:names:tc:SAML:1.0:protocol',
  a: 'urn:oasis:names:tc:SAML:1.0:assertion',
  s: 'http://schemas.xmlsoap.org/soap/envelope/',
}

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await startTestServer()
  await addPerson(server, { account: '20260001', name: '李 <雷> & "Co"' })
  await addCasApplication(server, {
    appId: 'library',
    serviceUrls: ['http://library.test/**'],
    attributes: ['name', { name: 'tier', value: 'gold' }],
  })
  browser = await logIn(server, '20260001')
})
afterAll(() => server.close())

/** As the Apereo Java client sends it. */
const envelope = (ticket: string) => `<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/">
<SOAP-ENV:Header/><SOAP-ENV:Body><samlp:Request xmlns:samlp="urn:oasis:names:tc:SAML:1.0:protocol" MajorVersion="1"
MinorVersion="1" RequestID="_192.168.16.51.1024506224022" IssueInstant="2025-03-01T09:00:00.022Z">
<samlp:AssertionArtifact>${ticket}</samlp:AssertionArtifact></samlp:Request></SOAP-ENV:Body></SOAP-ENV:Envelope>`

async function post(body: Body, target: string | null = TARGET, type: string | null = 'text/xml') {
  const query = target === null ? '' : `?${new URLSearchParams({ TARGET: target })}`
  const reply = await fetch(`${server.url}/fwk_cas_service/samlValidate${query}`, {
    method: 'POST',
    headers: {
      ...(type !== null && { 'content-type': type }),
      soapaction: 'http://www.oasis-open.org/committees/security',
    },
    // A string body would get a content type.
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  })
  return { status: reply.status, text: await reply.text(), headers: reply.headers }
}

function read(text: string) {
  const document = XmlDocument.fromString(text)
  return (path: string) => document.find(path, NAMESPACES).map((node) => node.content)
}

test('a ticket is answered with an assertion about the person', async () => {
  const { status, text, headers } = await post(envelope(await ticketFor(browser, TARGET)))
  expect([status, headers.get('content-type')]).toEqual([200, 'text/xml;charset=UTF-8'])
  const get = read(text)
  expect(get('/s:Envelope/s:Body/p:Response/@InResponseTo')).toEqual(['_192.168.16.51.1024506224022'])
  expect(get('//p:StatusCode/@Value')).toEqual(['samlp:Success'])
  expect(get('//a:AuthenticationStatement/a:Subject/a:NameIdentifier')).toEqual(['20260001'])
  expect(get('//a:AuthenticationStatement/@AuthenticationMethod')).toEqual(['urn:oasis:names:tc:SAML:1.0:am:password'])
  expect(get('//a:Audience')).toEqual([TARGET])
  expect(get('//a:Attribute[@AttributeName="name"]/a:AttributeValue')).toEqual(['李 <雷> & "Co"'])
  expect(get('//a:Attribute[@AttributeName="tier"]/a:AttributeValue')).toEqual(['gold'])
  expect(get('//a:Attribute[@AttributeName="longTermAuthenticationRequestTokenUsed"]/a:AttributeValue')).toEqual([
    'false',
  ])
  const [from = '', until = ''] = [...get('//a:Conditions/@NotBefore'), ...get('//a:Conditions/@NotOnOrAfter')]
  const now = server.platform.now().getTime()
  expect(Date.parse(from)).toBeLessThan(now - 1000)
  expect(Date.parse(until)).toBeGreaterThan(now + 20_000)
})

test('it consumes the ticket, and one of another service is rejected and consumed', async () => {
  const ticket = await ticketFor(browser, TARGET)
  expect(read((await post(envelope(ticket))).text)('//a:NameIdentifier')[0]).toBe('20260001')
  const second = read((await post(envelope(ticket))).text)
  expect([second('//p:StatusCode/@Value'), second('//a:NameIdentifier')]).toEqual([['samlp:RequestDenied'], []])
  const other = await ticketFor(browser, TARGET)
  expect((await post(envelope(other), 'http://library.test/other')).text).toContain('RequestDenied')
  expect((await post(envelope(other))).text).toContain('RequestDenied')
})

test('without TARGET or ticket the request is denied', async () => {
  expect((await post(envelope(await ticketFor(browser, TARGET)), null)).text).toContain('RequestDenied')
  expect((await post(envelope(''))).text).toContain('RequestDenied')
})

const ticket = 'ST-xxxxxxxxxxxxxxxxxxxxxxxxxxxxx'
const utf16 = Buffer.from(`\ufeff${envelope(ticket)}`, 'utf16le')
const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>`
const BAD: [string, Body, number][] = [
  ['a document type', `<!DOCTYPE x>${envelope(ticket)}`, 400],
  ['an external entity', `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${envelope('&e;')}`, 400],
  ['a billion laughs', `${laughs}${envelope('&c;')}`, 400],
  ['an unknown entity', envelope('&nbsp;'), 400],
  ['UTF-16', new Uint8Array(utf16), 400],
  ['a declaration of UTF-7', `<?xml version="1.0" encoding="UTF-7"?>${envelope(ticket)}`, 400],
  ['bytes that are no UTF-8', new Uint8Array([0x3c, 0xff, 0xfe, 0x3e]), 400],
  ['unfinished XML', envelope(ticket).slice(0, -20), 400],
  ['two artifacts', envelope(`${ticket}</samlp:AssertionArtifact><samlp:AssertionArtifact>x`), 400],
  ['deep nesting', '<a>'.repeat(2000), 400],
  ['nothing', '', 400],
  ['no XML', '{"a":1}', 400],
  ['10 MB', envelope('x'.repeat(10_000_000)), 413],
]
test.each(BAD)('%s is rejected without any of it in the answer', async (_what, body, expected) => {
  const { status, text } = await post(body)
  expect(status).toBe(expected)
  expect(text).not.toContain('root:')
})

test.each([
  null,
  'application/x-www-form-urlencoded',
  'application/soap+xml; charset=utf-8',
  'text/plain',
  'application/json',
  'application/octet-stream',
  'xml',
  '',
])('a body with the content type %j is parsed as XML', async (type) => {
  const get = read((await post(envelope(await ticketFor(browser, TARGET)), TARGET, type)).text)
  expect(get('//a:AuthenticationStatement/a:Subject/a:NameIdentifier')).toEqual(['20260001'])
})

test('another encoding than UTF-8 is refused', async () => {
  expect((await post(envelope(ticket), TARGET, 'text/xml; charset=utf-16')).status).toBe(415)
})

test('each value says its type, with the schema declared where it is used', async () => {
  const { text } = await post(envelope(await ticketFor(browser, TARGET)))
  const types = XmlDocument.fromString(text)
    .find('//a:AttributeValue/@i:type', { ...NAMESPACES, i: 'http://www.w3.org/2001/XMLSchema-instance' })
    .map((node) => node.content)
  expect(types.length).toBeGreaterThanOrEqual(4)
  expect(new Set(types)).toEqual(new Set(['xs:string']))
  const assertion = /<saml1:Assertion .*<\/saml1:Assertion>/s.exec(text)?.[0] ?? ''
  expect(assertion).toMatch(/^<saml1:Assertion [^>]*xmlns:xs="http:\/\/www\.w3\.org\/2001\/XMLSchema"/)
})

test('guessing tickets is rate-limited here as at the other endpoints, with a common counter', async () => {
  const guesser = await testServer()
  const guess = () =>
    fetch(`${guesser.url}/fwk_cas_service/samlValidate?${new URLSearchParams({ TARGET })}`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml' },
      body: envelope('ST-guessed'),
    })
  const validation = `${guesser.url}/fwk_cas_service/p3/serviceValidate?${new URLSearchParams({ service: TARGET, ticket: 'ST-x' })}`
  expect((await guess()).status).toBe(200)
  for (let sent = 0; sent < 600; sent += 50) await Promise.all(Array.from({ length: 50 }, guess))
  const refused = await guess()
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect(await refused.text()).toContain('RequestDenied')
  expect((await fetch(validation)).status).toBe(429)
})
