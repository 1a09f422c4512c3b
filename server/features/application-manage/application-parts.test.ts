import { beforeAll, expect, test } from 'vitest'
import { type Created, casFields, clientFields, managing } from '../../testing/managing.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
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

test('a copy has the settings but neither addresses nor secret nor an open door', async () => {
  const { id, secret } = await manage.create(clientFields('origin', { consent: 'explicit', subjectType: 'pairwise' }))
  const copy = await manage.post<Created>(`/application_manage/${id}/duplicate/`, { appId: 'copy', name: 'Copy' })
  expect(copy.data.secret).not.toBe(secret)
  expect(await manage.read(copy.data.id)).toMatchObject({
    clientId: 'copy',
    consent: 'explicit',
    subjectType: 'pairwise',
    redirectUris: [],
    enabled: false,
    hasSecret: true,
  })
})

test('categories have two levels, and what is in a deleted one moves up', async () => {
  const add = async (code: string, parentId: string | null = null) =>
    (await manage.post<{ id: string }>('/application_category/create/', { code, name: code, parentId })).data?.id
  const study = (await add('study')) ?? ''
  const exams = (await add('exams', study)) ?? ''
  const third = await manage.post('/application_category/create/', { code: 'third', name: 'Third', parentId: exams })
  expect(third.envelope.code).toBe('application-category.cycle')
  const { id } = await manage.create(casFields('marks', { categoryId: exams }))
  expect((await manage.list(`categoryId=${study}`)).records.map((row) => row.id)).toEqual([id])
  await manage.post(`/application_category/${exams}/update/`, {
    name: 'Marks',
    names: { zh_CN: '成绩' },
    parentId: study,
  })
  await manage.post(`/application_category/${exams}/delete/`)
  expect((await manage.read(id)).categoryId).toBe(study)
})

test('an icon is painted anew, kept when it is used, and only the one who uploaded it can use it', async () => {
  const { id } = await manage.create(casFields('drawn'))
  const { default: sharp } = await import('sharp')
  const bytes = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), 'icon.png')
  const uploaded = await admin.call<{ id: string; url: string }>('/application_manage/icon/upload/', {
    body: form,
    method: 'POST',
  })
  const { version } = await manage.read(id)
  const other = await openPortal(server, { isSuperUser: true })
  const stolen = await other.call(`/application_manage/${id}/update/`, {
    body: { version, changes: { pictureId: uploaded.data.id } },
  })
  expect(stolen.envelope.code).toBe('file.not-found')
  expect((await manage.update(id, version, { pictureId: uploaded.data.id })).data.picture).toBe(uploaded.data.url)
  expect((await fetch(server.url + uploaded.data.url)).headers.get('content-type')).toMatch(/^image\//)
})
