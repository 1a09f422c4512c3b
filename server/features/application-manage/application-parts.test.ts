import { v7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import type { ApplicationCategory } from '#shared/contract/application-categories.ts'
import { systemContext, transaction } from '../../platform/platform.ts'
import { type Created, casFields, clientFields, managing } from '../../testing/managing.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { applicationRestorer } from './index.ts'

let server: TestServer
let admin: Portal
let manage: ReturnType<typeof managing>

beforeAll(async () => {
  server = await startTestServer()
  admin = await openPortal(server, { isSuperUser: true })
  manage = managing(admin)
  return () => server.close()
})

test('a copy has the settings but neither addresses nor secret, and is disabled', async () => {
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

test('categories are reordered one by one, also below another and when positions run out', async () => {
  const ids: Record<string, string> = {}
  for (const code of ['a', 'b', 'c', 'd']) {
    const made = await manage.post<{ id: string }>('/application_category/create/', {
      code: `order-${code}`,
      name: code,
    })
    ids[code] = made.data?.id ?? ''
  }
  const move = (code: string, after: string | null, parent: string | null = null) =>
    manage.post(`/application_category/${ids[code]}/move/`, {
      parentId: parent && ids[parent],
      after: after && ids[after],
    })
  const order = async (parent: string | null = null) => {
    const { data } = await admin.call<{ records: ApplicationCategory[] }>('/application_category/query/')
    const own = data.records.filter(
      ({ code, parentId }) => code.startsWith('order-') && parentId === (parent && ids[parent]),
    )
    return own.map(({ name }) => name).join('')
  }
  expect(await order()).toBe('abcd')
  await move('d', 'a')
  expect(await order()).toBe('adbc')
  for (const _ of Array(6)) {
    await move('c', 'a')
    await move('b', 'a')
  }
  expect(await order()).toBe('abcd')
  await move('c', null, 'a')
  await move('d', 'c', 'a')
  await move('d', null, 'a')
  expect([await order(), await order('a')]).toEqual(['ab', 'dc'])
  expect((await move('a', null, 'b')).envelope.code).toBe('application-category.cycle')
  expect((await move('b', 'd')).envelope.code).toBe('application-category.not-found')
})

test('an icon is re-encoded, kept once it is used, and only its uploader can use it', async () => {
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

test('an application is rolled back, its secret and its code stay', async () => {
  const { id } = await manage.create(clientFields('former'))
  const before = await manage.read(id)
  await manage.update(id, before.version, {
    name: 'Later',
    redirectUris: ['https://later.test/cb'],
    consent: 'explicit',
  })
  const now = await manage.read(id)
  const ctx = systemContext(server.platform)
  const [line] = await server.platform.sql<{ before: Record<string, unknown> }[]>`
    select before from audit_records where target_id = ${id} and action = 'application.update'`
  const snapshot = { ...line?.before, categoryId: v7(), appId: 'stolen', clientSecretHash: 'x' }
  expect(await applicationRestorer.missing?.(ctx, id, snapshot)).toMatchObject([{ field: 'categoryId' }])
  await expect(applicationRestorer.restore(ctx, id, snapshot, before.version)).rejects.toThrow('version.conflict')
  await transaction(ctx, (inner) => applicationRestorer.restore(inner, id, snapshot, now.version))
  const { version: _v, updatedAt: _u, ...restored } = await manage.read(id)
  expect(before).toMatchObject(restored)
  expect(restored).toMatchObject({ appId: 'former', hasSecret: true, consent: 'implicit', categoryId: null })
})

test('a bootstrap file neither enables nor restores what was deleted here, and the start continues', async () => {
  const { id } = await manage.create(casFields('retired'))
  await manage.enable([id], false)
  await manage.post('/application_manage/delete/', { selection: { ids: [id] } })
  const entry = { appId: 'retired', name: 'Retired', protocol: 'cas' as const, enabled: true }
  await applyBootstrap(server.platform, { applications: [entry] }, { source: 'test' })
  expect(await manage.read(id)).toMatchObject({ name: 'Retired', enabled: false, deletedAt: expect.any(String) })
})
