import { beforeAll, expect, test } from 'vitest'
import type { ApplicationDetails } from '#shared/contract/application-manage.ts'
import { casFields, clientFields, managing } from '../../testing/managing.ts'
import { addPerson, logIn } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { obtainTokens, userinfo } from '../../testing/relying-party.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: Portal
let manage: ReturnType<typeof managing>

beforeAll(async () => {
  server = await startTestServer()
  admin = await openPortal(server, { isSuperUser: true })
  manage = managing(admin)
  return () => server.close()
})

/** Enters and validates a ticket of a person who is logged in. */
async function enterCas(browser: Awaited<ReturnType<typeof logIn>>, service: string) {
  const answer = await browser.get(`/fwk_cas_service/login?service=${encodeURIComponent(service)}`)
  const ticket = answer.location ? new URL(answer.location).searchParams.get('ticket') : null
  if (!ticket) return { status: answer.status, text: '' }
  const url = `${server.url}/fwk_cas_service/p3/serviceValidate?${new URLSearchParams({ service, ticket })}`
  return { status: 200, text: await (await fetch(url)).text() }
}

test('an application created here logs a person in by CAS, releases what it lists, and nobody once it is disabled', async () => {
  await addPerson(server, { account: 'lilei', name: 'Li Lei', mailbox: 'lilei@school.test' })
  const { id, secret } = await manage.create(
    casFields('desk', {
      attributes: [
        { name: 'cn', from: 'name' },
        { name: 'tier', value: 'gold' },
      ],
    }),
  )
  expect(secret).toBeNull()
  const browser = await logIn(server, 'lilei')
  const entered = await enterCas(browser, 'https://desk.test/start')
  expect(entered.text).toContain('<cas:user>lilei</cas:user>')
  expect(entered.text).toContain('<cas:cn>Li Lei</cas:cn>')
  expect(entered.text).toContain('<cas:tier>gold</cas:tier>')
  const impact = await admin.call(`/application_manage/${id}/impact/`)
  expect(impact.data).toMatchObject({ inside: 1, visits: 1 })
  expect((await manage.enable([id], false)).data).toEqual({ changed: 1, refused: [] })
  expect((await enterCas(browser, 'https://desk.test/start')).status).not.toBe(200)
  await manage.enable([id], true)
  expect((await enterCas(browser, 'https://desk.test/start')).text).toContain('lilei')
})

test('an application created here works with OpenID Connect, its secret is shown once and a new one replaces the old', async () => {
  await addPerson(server, { account: 'hanmei', name: 'Han Mei', mailbox: 'hanmei@school.test' })
  const { id, secret } = await manage.create(clientFields('lms'))
  const browser = await logIn(server, 'hanmei')
  const party = { server, id: 'lms', secret, redirectUri: 'https://lms.test/callback' }
  const tokens = await obtainTokens(browser, party, { scope: 'openid profile email' })
  const claims = (await userinfo(server, tokens.access_token)).body
  expect(claims).toMatchObject({ sub: 'hanmei', name: 'Han Mei', email: 'hanmei@school.test' })
  const preview = await previewOf(id, await personId('hanmei'))
  expect(JSON.parse(preview.answers.find(({ name }) => name === 'userinfo')?.text ?? '')).toEqual(claims)

  const before = await manage.read(id)
  expect(JSON.stringify(before)).not.toContain(secret)
  const rotated = await manage.post<{ secret: string; version: number }>(`/application_manage/${id}/secret/rotate/`, {
    version: before.version,
  })
  await expect(obtainTokens(browser, party)).rejects.toThrow(/invalid_client/)
  expect((await obtainTokens(browser, { ...party, secret: rotated.data.secret })).id_token).toBeTruthy()
  const late = await manage.post(`/application_manage/${id}/secret/rotate/`, { version: before.version })
  expect(late.envelope.code).toBe('version.conflict')
  const audit = await server.platform.sql<{ text: string }[]>`
    select string_agg(to_jsonb(r)::text, '') as text from audit_records r where target_id = ${id}`
  expect(audit[0]?.text).toContain('client-secret.rotate')
  for (const told of [secret, rotated.data.secret]) expect(audit[0]?.text).not.toContain(told)

  const open = await manage.post<ApplicationDetails>(`/application_manage/${id}/secret/remove/`, {
    version: rotated.data.version,
  })
  expect(open.data.hasSecret).toBe(false)
  expect((await obtainTokens(browser, { ...party, secret: null })).id_token).toBeTruthy()
})

async function personId(account: string): Promise<string> {
  const [row] = await server.platform.sql<{ id: string }[]>`select id from users where account = ${account}`
  return row?.id ?? ''
}

type Preview = {
  userName: string | null
  missing: string[]
  steps: { name: string; result: string; reason: string | null; detail: string | null }[]
  answers: { name: string; text: string }[]
}
const previewOf = async (id: string, userId: string, address = '') =>
  (await admin.call<Preview>(`/application_manage/${id}/preview/?${new URLSearchParams({ userId, address })}`)).data

test('the preview says what CAS would answer and where a login would stop', async () => {
  const userId = await addPerson(server, { account: 'nomail', name: 'No Mail' })
  const attributes = [
    { name: 'cn', from: 'name' },
    { name: 'mail', from: 'mailbox' },
  ]
  const { id } = await manage.create(casFields('preview', { type: 'system', attributes }))
  const steps = async (address = '') => {
    const shown = await previewOf(id, userId, address)
    return Object.fromEntries(
      shown.steps.map(({ name, result, reason }) => [name, reason ? `${result} ${reason}` : result]),
    )
  }
  expect(await steps()).toEqual({
    address: 'passed address-known',
    account: 'passed',
    rules: 'passed',
    access: 'refused application.not-granted',
    'user-name': 'passed',
    release: 'warned no-value',
    logout: 'passed logout-to-service',
  })
  expect(await steps('https://elsewhere.test/')).toMatchObject({ address: 'refused address-unknown' })
  const shown = await previewOf(id, userId)
  expect(shown.missing).toEqual(['mail'])
  expect(shown.answers.find(({ name }) => name === 'cas-xml')?.text).toContain('<cas:cn>No Mail</cas:cn>')
  const { version } = await manage.read(id)
  await manage.update(id, version, { userAttribute: 'mailbox', type: 'whitelist' })
  const browser = await logIn(server, 'nomail')
  const refused = await browser.get(`/fwk_cas_service/login?service=${encodeURIComponent('https://preview.test/')}`)
  expect(refused.status).toBe(403)
  expect(await steps()).toMatchObject({ access: 'passed access-everybody', 'user-name': 'refused no-value' })
})

test('an update from an older page is refused with the application as it stands, and writes nothing', async () => {
  const { id } = await manage.create(casFields('race'))
  const { version } = await manage.read(id)
  const first = await manage.update(id, version, { name: '图书馆' })
  expect(first.data).toMatchObject({ name: '图书馆', version: version + 1 })
  const second = await manage.update(id, version, { description: 'late' })
  expect([second.status, second.envelope.code]).toEqual([409, 'version.conflict'])
  expect(second.data).toMatchObject({ current: { name: '图书馆', description: '', version: version + 1 } })
  expect((await manage.list('search=tsg')).records.map((row) => row.id)).toEqual([id])
  const [line] = await server.platform.sql<{ before: object; after: object }[]>`
    select before, after from audit_records where target_id = ${id} and action = 'application.update'`
  expect(line?.before).toMatchObject({ name: 'Name of race', serviceUrls: ['https://race.test/**'] })
  expect(line?.after).toMatchObject({ name: '图书馆', hasSecret: false, deleted: false })
})

test('addresses that would match too much are rejected with the name of their field', async () => {
  const { id } = await manage.create(clientFields('strict'))
  const { version } = await manage.read(id)
  const refused: [object, string][] = [
    [{ redirectUris: ['http://strict.test/callback'] }, 'changes.redirectUris.0'],
    [{ redirectUris: ['https://strict.test/#a'] }, 'changes.redirectUris.0'],
    [{ redirectUris: ['https://strict.test/**'] }, 'changes.redirectUris.0'],
    [{ redirectUris: ['javascript:alert(1)'] }, 'changes.redirectUris.0'],
    [{ url: 'https://user:secret@strict.test/' }, 'changes.url'],
    [{ url: 'https://*' }, 'changes.url'],
    [{ url: 'https://%2a.test/' }, 'changes.url'],
    [{ redirectUris: ['https://*'] }, 'changes.redirectUris.0'],
    [{ postLogoutRedirectUris: ['https://*/'] }, 'changes.postLogoutRedirectUris.0'],
    [{ serviceUrls: ['https://*'] }, 'changes.serviceUrls.0'],
    [{ serviceUrls: ['https://**'] }, 'changes.serviceUrls.0'],
    [{ serviceUrls: ['https://%2A/**'] }, 'changes.serviceUrls.0'],
    [{ serviceUrls: ['https://strict..test/**'] }, 'changes.serviceUrls.0'],
    [{ serviceUrls: ['https:///**'] }, 'changes.serviceUrls.0'],
    [{ proxyCallbackUrls: ['https://.test/**'] }, 'changes.proxyCallbackUrls.0'],
    [{ serviceUrls: ['https://strict.test/', 'https://*.test/**'] }, 'changes.serviceUrls.1'],
    [{ backchannelLogoutUri: 'http://169.254.169.254/latest' }, 'changes.backchannelLogoutUri'],
    [{ proxyCallbackUrls: ['https://[fe80::1]/**'] }, 'changes.proxyCallbackUrls.0'],
    [{ grantTypes: ['implicit'], redirectUris: ['http://127.0.0.1/cb'] }, 'changes.redirectUris'],
    [{ attributes: [{ name: 'user', from: 'name' }] }, 'changes.attributes.0'],
    [
      {
        attributes: [
          { name: 'a', from: 'name' },
          { name: 'a', value: 'x' },
        ],
      },
      'changes.attributes.1',
    ],
    [{ clientId: null }, 'changes.clientId'],
  ]
  for (const [changes, field] of refused) {
    const reply = await manage.update(id, version, changes)
    expect([reply.status, reply.envelope.code], JSON.stringify(changes)).toEqual([400, 'request.invalid'])
    expect(reply.data.fields.map((one) => one.field).join(), JSON.stringify(changes)).toContain(field)
  }
  expect((await manage.read(id)).version).toBe(version)
  const loopback = await manage.update(id, version, { redirectUris: ['http://127.0.0.1:7/cb'] })
  expect(loopback.status).toBe(200)
})

test('names of other applications are rejected, and overlapping addresses are reported with the application', async () => {
  await manage.create(casFields('wide', { serviceUrls: ['https://shared.test/**'] }))
  expect((await manage.post('/application_manage/create/', casFields('wide'))).envelope.code).toBe(
    'application.code-taken',
  )
  await manage.create(clientFields('first', { clientId: 'one-id' }))
  const twice = await manage.post('/application_manage/create/', clientFields('second', { clientId: 'one-id' }))
  expect(twice.envelope.code).toBe('application.client-id-taken')
  const addresses = ['https://shared.test/part/**', 'https://apart.test/']
  const check = await manage.post<object>('/application_manage/check/', { appId: 'wide', clientId: 'free', addresses })
  expect(check.data).toMatchObject({
    appIdTaken: true,
    clientIdTaken: false,
    overlaps: [{ address: addresses[0], name: 'Name of wide', other: 'https://shared.test/**' }],
    forbidden: [],
  })
})

test('only a disabled application can be deleted, and it is restored unchanged', async () => {
  const { id } = await manage.create(casFields('gone'))
  const remove = () =>
    manage.post<{ changed: number; refused: { code: string }[] }>('/application_manage/delete/', {
      selection: { ids: [id] },
    })
  expect((await remove()).data.refused).toMatchObject([{ code: 'application.still-enabled' }])
  await manage.enable([id], false)
  expect((await remove()).data.changed).toBe(1)
  expect((await manage.list('search=gone')).total).toBe(0)
  expect((await manage.list('search=gone&state=deleted')).records).toMatchObject([{ id, deleted: true }])
  expect((await manage.enable([id], true)).data.refused).toMatchObject([{ code: 'application.not-found' }])
  expect((await manage.post('/application_manage/create/', casFields('gone'))).envelope.code).toBe(
    'application.code-taken',
  )
  await manage.post(`/application_manage/${id}/restore/`)
  await manage.enable([id], true)
  await addPerson(server, { account: 'returner' })
  const entered = await enterCas(await logIn(server, 'returner'), 'https://gone.test/')
  expect(entered.text).toContain('returner')
})

test('the portal itself can be renamed, but neither disabled nor deleted nor given another address', async () => {
  const [portal] = (await manage.list('search=portal&pageSize=100')).records.filter((row) => row.builtIn)
  const id = portal?.id ?? ''
  expect((await manage.enable([id], false)).data.refused).toMatchObject([{ code: 'application.built-in' }])
  const { version } = await manage.read(id)
  expect((await manage.update(id, version, { serviceUrls: [] })).envelope.code).toBe('application.built-in')
  expect((await manage.update(id, version, { names: { zh_CN: '门户' } })).status).toBe(200)
})

test('a verb over all results acts on what was shown, or on nothing when that has changed', async () => {
  await manage.create(casFields('bulk-a'))
  await manage.create(casFields('bulk-b'))
  const all = { search: 'bulk-' }
  const wrong = await manage.post('/application_manage/set_enabled/', {
    selection: { all, expected: 3 },
    enabled: false,
  })
  expect(wrong.envelope.code).toBe('selection.changed')
  const right = await manage.post('/application_manage/set_enabled/', {
    selection: { all, expected: 2 },
    enabled: false,
  })
  expect(right.data).toEqual({ changed: 2, refused: [] })
  expect((await manage.list('search=bulk-&state=disabled')).total).toBe(2)
})
