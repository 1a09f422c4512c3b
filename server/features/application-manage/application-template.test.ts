import { beforeAll, expect, test } from 'vitest'
import { APPLICATION_TEMPLATES } from '#shared/rules/application-templates/list.ts'
import { fieldsOf } from '#shared/rules/application-templates/template.ts'
import { clientFields, managing } from '../../testing/managing.ts'
import { openPortal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let manage: ReturnType<typeof managing>

beforeAll(async () => {
  server = await startTestServer()
  manage = managing(await openPortal(server, { isSuperUser: true }))
  return () => server.close()
})

test('every product of the gallery can be registered, is remembered with its application, and is copied with it', async () => {
  for (const template of APPLICATION_TEMPLATES) {
    const { key, protocol, product } = template
    const base = `https://${key}.test`
    const filled = fieldsOf(template, { base, publicUrl: 'https://portal.test', clientId: key })
    const { id, secret } = await manage.create({
      appId: key,
      name: product,
      protocol,
      template: key,
      url: base,
      ...filled,
    })
    expect(secret !== null, key).toBe(protocol === 'oauth2')
    expect(await manage.read(id)).toMatchObject({ template: key, ...filled })
  }
  const [moodle] = (await manage.list('search=moodle-cas')).records
  const copy = await manage.post<{ id: string }>(`/application_manage/${moodle?.id}/duplicate/`, {
    appId: 'two',
    name: 'Two',
  })
  expect((await manage.read(copy.data.id)).template).toBe('moodle-cas')
  const unknown = await manage.post('/application_manage/create/', clientFields('x', { template: 'windows' }))
  expect(unknown.envelope.code).toBe('request.invalid')
})

test('a client without explicit scopes may request the profile, and the mail address if that is released', async () => {
  const { scopes: _s, ...fields } = clientFields('plain')
  const plain = await manage.create(fields)
  expect((await manage.read(plain.id)).scopes).toEqual(['openid', 'profile'])
  const attributes = [{ name: 'mail', from: 'mailbox' }]
  const mailing = await manage.create({ ...fields, appId: 'mailing', attributes })
  expect((await manage.read(mailing.id)).scopes).toEqual(['openid', 'profile', 'email'])
})
