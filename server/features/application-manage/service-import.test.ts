import { beforeAll, expect, test } from 'vitest'
import type { ImportedService } from '#shared/contract/service-import.ts'
import { managing } from '../../testing/managing.ts'
import { addPerson, logIn } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { obtainTokens } from '../../testing/relying-party.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { readPattern } from './service-pattern.rules.ts'

test('a pattern becomes the addresses it means, never more than it matches', () => {
  const read = (pattern: string) => {
    const { addresses, problem } = readPattern(pattern)
    return problem ?? addresses.join(' ')
  }
  const expected = {
    'https://app.school.edu/cas/**': 'https://app.school.edu/cas/**',
    '^https://app\\.school\\.edu/.*': 'https://app.school.edu/**',
    '^https://app.school.edu/portal/.*$': 'https://app.school.edu/portal/**',
    '^https?://app\\.school\\.edu/.*': 'https://app.school.edu/** http://app.school.edu/**',
    '^(https|http)://(www\\.)?school\\.edu/.*':
      'https://www.school.edu/** https://school.edu/** http://www.school.edu/** http://school.edu/**',
    '^https://(mail|wiki)\\.school\\.edu(/.*)?$': 'https://mail.school.edu/** https://wiki.school.edu/**',
    'https://app.school.edu/login': 'https://app.school.edu/login',
    'https://app.school.edu/login?client=1': 'https://app.school.edu/login?client=1',
    '^https://app\\.school\\.edu:8443/app.*': 'https://app.school.edu:8443/app/**',
    '^https://app\\.school\\.edu.*': 'https://app.school.edu/**',
    '^https://app\\.school\\.edu(:\\d+)?/.*': 'https://app.school.edu/**',
    '^https://app[.]school[.]edu/.*': 'https://app.school.edu/**',
    '^(https|imaps)://.*': 'matches-everything',
    '.*': 'matches-everything',
    '^https://.*\\.school\\.edu/.*': 'wildcard-host',
    '^https://\\w+\\.school\\.edu/.*': 'wildcard-host',
    '^https://app.*/.*': 'wildcard-host',
    '^https://app\\.school\\.edu/.*/login': 'wildcard-path',
    '^https://app\\.school\\.edu/login\\?to=.*': 'wildcard-query',
    '^imaps://mail\\.school\\.edu/.*': 'scheme',
    '^https://(?!evil).*\\.edu/.*': 'pattern',
    '^https://app\\.school\\.edu/(a+)+$': 'pattern',
    '^https://a{1,9}\\.school\\.edu/.*': 'pattern',
    'https://user:pw@app.school.edu/.*': 'not-web',
    '(': 'pattern',
    'https://app.school.edu/a/../.*': 'dot-segment',
    'https://app.school.edu/a/\\.\\./.*': 'dot-segment',
    'https://app.school.edu/a/%2e%2E/.*': 'dot-segment',
    'https://app.school.edu/./login': 'dot-segment',
    'https://app.school.edu/..;x/.*': 'dot-segment',
    'https://app.school.edu/..%2fadmin/.*': 'dot-segment',
    'https://app.school.edu/.well-known/.*': 'https://app.school.edu/.well-known/**',
    'https://app.school.edu/v1..2/.*': 'https://app.school.edu/v1..2/**',
    'https://((((((app))))))\\.school\\.edu/.*': 'https://app.school.edu/**',
  }
  expect(Object.fromEntries(Object.keys(expected).map((pattern) => [pattern, read(pattern)]))).toEqual(expected)
})

test('a pattern of any length or depth is answered', () => {
  const nested = (levels: number) => `https://app.school.edu/${'('.repeat(levels)}a${')'.repeat(levels)}`
  const variants = `https://app.school.edu/(${'a|'.repeat(58)}b)`
  const patterns = [nested(20), nested(21), nested(20_000), variants + 'c'.repeat(800_000)]
  expect(patterns.map((pattern) => readPattern(pattern).problem)).toEqual([null, 'pattern', 'too-long', 'too-long'])
})

test('the pattern matches every address derived from it', () => {
  const patterns = [
    '^https?://(a|b)\\.school\\.edu(:\\d+)?/(x/)?.*',
    '^https://app\\.school\\.edu(/.*)?$',
    '^https://w.school.edu/v[0-9]?/.*',
  ]
  for (const pattern of patterns) {
    for (const address of readPattern(pattern).addresses) {
      for (const sample of [address.replace('**', ''), address.replace('**', 'deep/er?x=1')]) {
        expect(new RegExp(`^(?:${pattern})$`).test(sample), `${pattern} ${sample}`).toBe(true)
      }
    }
  }
})

const WIKI = `{
  // A wiki
  "@class": "org.apereo.cas.services.CasRegisteredService",
  serviceId: '^https://wiki\\\\.school\\\\.test/.*',
  name: 'Wiki', id: 1001, evaluationOrder: 7, theme: "dark",
  description: 'Where we write',
  logoutType: "FRONT_CHANNEL", logoutUrl: "https://wiki.school.test/out",
  attributeReleasePolicy: {
    "@class": "org.apereo.cas.services.ReturnMappedAttributeReleasePolicy",
    allowedAttributes: { "@class": "java.util.TreeMap", "uid": "userid", "mail": ["java.util.ArrayList", ["email", "mail"]], "eduPersonOrcid": "orcid" },
  },
  proxyPolicy: { "@class": "org.apereo.cas.services.RegexMatchingRegisteredServiceProxyPolicy", pattern: "^https://wiki\\\\.school\\\\.test/proxy/.*" },
}`
const LMS = JSON.stringify({
  '@class': 'org.apereo.cas.services.OidcRegisteredService',
  clientId: 'lms-client',
  clientSecret: 'the-secret-of-lms',
  serviceId: 'https://lms.school.test/callback',
  name: 'Learning',
  id: 1002,
  scopes: ['java.util.HashSet', ['openid', 'profile', 'eduperson']],
  supportedGrantTypes: ['java.util.HashSet', ['authorization_code']],
  bypassApprovalPrompt: true,
  attributeReleasePolicy: { '@class': 'org.apereo.cas.services.DenyAllAttributeReleasePolicy' },
})
const OTHERS = JSON.stringify([
  { '@class': 'org.apereo.cas.services.RegexRegisteredService', serviceId: '^https://.*', name: 'All', id: 1 },
  { '@class': 'org.apereo.cas.support.saml.services.SamlRegisteredService', serviceId: 'x', name: 'SAML', id: 2 },
  {
    '@class': 'org.apereo.cas.services.RegexRegisteredService',
    serviceId: 'https://lab.school.test/.*',
    name: '实验室',
    id: 1003,
    accessStrategy: {
      '@class': 'org.apereo.cas.services.DefaultRegisteredServiceAccessStrategy',
      enabled: false,
      requiredAttributes: { '@class': 'java.util.HashMap', role: ['java.util.HashSet', ['staff']] },
    },
    attributeReleasePolicy: { '@class': 'org.apereo.cas.services.ReturnAllAttributeReleasePolicy' },
  },
  {
    '@class': 'org.apereo.cas.support.oauth.services.OAuthRegisteredService',
    clientId: 'wild',
    serviceId: '^https://wild\\.school\\.test/.*',
    name: 'Wild',
    id: 1004,
  },
  { '@class': 'org.apereo.cas.services.CasRegisteredService', serviceId: 'https://w.test/', name: 'Again', id: 1001 },
  'nonsense',
])

type Report = { services: ImportedService[]; fresh: number; refused: number }
let server: TestServer
let manage: ReturnType<typeof managing>

beforeAll(async () => {
  server = await startTestServer()
  manage = managing(await openPortal(server, { isSuperUser: true }))
  return () => server.close()
})

const files = [
  { name: 'Wiki-1001.json', text: WIKI },
  { name: 'LMS-1002.json', text: LMS },
  { name: 'others.json', text: OTHERS },
  { name: 'broken.json', text: '{"@class": ' },
]

test('the check reports each service with what changes and what is ignored, and writes nothing', async () => {
  const { data } = await manage.post<Report>('/application_manage/import/check/', { files })
  expect(data.services.map(({ name, result, reason }) => [name, result, reason])).toEqual([
    ['Wiki', 'new', null],
    ['Learning', 'new', null],
    ['All', 'refused', 'matches-everything'],
    ['SAML', 'refused', 'class'],
    ['实验室', 'new', null],
    ['Wild', 'refused', 'redirect-wildcard'],
    ['Again', 'refused', 'twice'],
    ['', 'refused', 'unreadable'],
    ['', 'refused', 'unreadable'],
  ])
  const [wiki, lms, , , lab] = data.services
  expect(wiki).toMatchObject({ appId: 'cas-1001', attributes: ['userid', 'email', 'mail'], ignored: ['theme'] })
  expect(wiki?.notes).toEqual([{ name: 'attribute-unknown', detail: 'eduPersonOrcid' }])
  expect(lms?.notes).toEqual([{ name: 'scope-unknown', detail: 'eduperson' }])
  expect(lab?.notes.map(({ name }) => name)).toEqual(['return-all', 'disabled', 'access-rules'])
  expect((await manage.list('search=cas-100')).total).toBe(0)
})

test('the import creates applications that work, and a second one changes nothing', async () => {
  const { data } = await manage.post<Report>('/application_manage/import/run/', { files })
  expect([data.fresh, data.refused]).toEqual([3, 6])
  const { records } = await manage.list('search=cas-100')
  expect(records.map(({ appId, state, type }) => `${appId} ${state} ${type}`).sort()).toEqual([
    'cas-1001 1 whitelist',
    'cas-1002 1 whitelist',
    'cas-1003 0 system',
  ])
  const wiki = await manage.read(records.find(({ appId }) => appId === 'cas-1001')?.id ?? '')
  expect(wiki).toMatchObject({
    serviceUrls: ['https://wiki.school.test/**'],
    singleLogout: 'front-channel',
    logoutUrl: 'https://wiki.school.test/out',
    proxy: true,
    proxyCallbackUrls: ['https://wiki.school.test/proxy/**'],
    position: 7,
  })
  await addPerson(server, { account: 'lilei' })
  const party = {
    server,
    id: 'lms-client',
    secret: 'the-secret-of-lms',
    redirectUri: 'https://lms.school.test/callback',
  }
  expect((await obtainTokens(await logIn(server, 'lilei'), party)).id_token).toBeTruthy()
  const again = await manage.post<Report>('/application_manage/import/run/', { files })
  expect(again.data.fresh).toBe(0)
  expect(again.data.services.filter(({ reason }) => reason === 'exists')).toHaveLength(4)
})

test('a file can not import what a form would reject', async () => {
  const service = { '@class': 'org.apereo.cas.services.OidcRegisteredService', serviceId: 'https://odd.test/back' }
  const text = JSON.stringify([
    { ...service, name: 'Odd\u0007name', id: 8001, clientId: 'fine' },
    { ...service, name: 'Odd client', id: 8002, clientId: 'a/b?c' },
    { ...service, '@class': 'constructor', name: 'Odd class', id: 8003 },
  ])
  const admin = await openPortal(server, { isSuperUser: true })
  const { data } = await managing(admin).post<{ services: ImportedService[] }>('/application_manage/import/check/', {
    files: [{ name: 'odd.json', text }],
  })
  expect(data.services.map(({ result, reason, detail }) => [result, reason, detail])).toEqual([
    ['refused', 'not-allowed', 'name'],
    ['refused', 'not-allowed', 'clientId'],
    ['refused', 'class', 'constructor'],
  ])
})
