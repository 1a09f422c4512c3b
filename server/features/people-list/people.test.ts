import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import type { BatchAnswer } from '#shared/contract/user-verbs.ts'
import type { UserDetails } from '#shared/contract/users.ts'
import { addPerson, logIn } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { accounts, PEOPLE as BASE, details, fieldsOf, list, school, verb } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'

test('people are found by account, name in any script, phone and mailbox, department with all below, category and role', async () => {
  const server = await testServer()
  const { organizationId, category } = await school(server)
  const page = await openPortal(server, { isSuperUser: true, account: 'root' })
  const searched: [string, string[]][] = [
    ['search=2026&searchBy=1', ['20260001', '20260002', '20260003']],
    ['search=t-1&searchBy=1', ['T-100']],
    ['search=张&searchBy=2', ['20260001']],
    ['search=三丰&searchBy=2', ['20260001']],
    ['search=张三丰&searchBy=2', ['20260001']],
    ['search=张丰&searchBy=2', []],
    ['search=阳娜&searchBy=2', ['20260003']],
    ['search=ouyang&searchBy=2', ['20260003']],
    ['search=zsf', ['20260001']],
    ['search=neill&searchBy=2', ['T-100']],
    ['search=1380000&searchBy=3', ['20260001']],
    ['search=1234&searchBy=3', ['20260001']],
    ['search=12&searchBy=3', []],
    ['search=LISI@&searchBy=4', ['20260002']],
    ['search=lisi', ['20260002']],
    [`organizationId=${organizationId('school')}`, ['20260001', '20260002', '20260003', 'T-100']],
    [`organizationId=${organizationId('school')}&directOnly=1`, []],
    [`organizationId=${organizationId('art')}&sort=-account`, ['T-100', '20260003']],
    [`categoryId=${category}`, ['20260001']],
    ['search=%25', []],
  ]
  for (const [query, expected] of searched) expect([query, await accounts(page, query)]).toEqual([query, expected])
  const [row] = (await list(page, 'search=20260001')).records
  expect(row).toMatchObject({ phone: '138****1234', organization: { code: 'cs' }, states: [{ state: 'enabled' }] })
  expect((await list(page)).total).toBe(5)
})

test('pages are read from either end in each order, and too deep ones are rejected', async () => {
  const server = await testServer()
  const { organizationId } = await school(server)
  const { sql, now } = server.platform
  await sql`
    insert into users (id, account, name, name_pinyin, organization_id, created_at, updated_at)
    select gen_random_uuid(), 'n' || lpad(n::text, 6, '0'), 'N' || n, 'n' || lpad((n % 97)::text, 3, '0'), ${organizationId('cs')},
      ${now()}, ${now()} from generate_series(1, 12000) n`
  const page = await openPortal(server, { isSuperUser: true, account: 'root' })
  const last = await list(page, 'pageIndex=121')
  expect([last.total, last.totalIsLowerBound, last.records.length]).toEqual([12005, undefined, 5])
  expect(last.records.map(({ account }) => account)).toEqual(
    ['n011997', 'n011998', 'n011999', 'n012000', 'root'].toSorted(),
  )
  const cs = `organizationId=${organizationId('cs')}`
  expect((await list(page, cs)).total).toBe(12_002)
  expect((await list(page, `${cs}&pageIndex=121`)).records.map(({ account }) => account)).toEqual([
    'n011999',
    'n012000',
  ])
  expect((await list(page, `${cs}&pageIndex=100`)).records[0]?.account).toBe('n009899')
  expect((await list(page, `${cs}&pageIndex=100&sort=-account`)).records).toHaveLength(100)
  const enabled = `${cs}&state=enabled`
  expect(await list(page, enabled)).toMatchObject({ total: 10_000, totalIsLowerBound: true })
  expect((await page.call(`${BASE}/query/?pageSize=100&pageIndex=101&${enabled}`)).envelope.code).toBe('list.too-deep')
  const byName = (await list(page, 'sort=-name&search=n00')).records
  expect(byName).toHaveLength(100)
})

test('a person is created, changed and found again; invalid fields are reported one by one and nothing is written', async () => {
  const server = await testServer()
  const { organizationId, category } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const wrong = await page.call(`${BASE}/create/`, {
    body: {
      account: 'a b',
      name: ' ',
      phone: '12',
      mailbox: 'x',
      alias: '1',
      organizationId: v7(),
      birthday: '2001-02-30',
    },
  })
  expect([wrong.status, wrong.envelope.code]).toEqual([400, 'request.invalid'])
  expect(wrong.envelope.message).toMatch(/^“[^”]+” can't be used: \S/)
  expect(fieldsOf(wrong.data).toSorted()).toEqual([
    'account',
    'alias',
    'birthday',
    'mailbox',
    'name',
    'organizationId',
    'phone',
  ])
  const body = {
    account: '20269999',
    name: '王五',
    organizationId: organizationId('cs'),
    categoryId: category,
    phone: '13900005678',
    secondaryOrganizationIds: [organizationId('art')],
  }
  const created = await page.call<{ id: string }>(`${BASE}/create/`, { body })
  expect(created.status).toBe(200)
  const { id } = created.data
  const read = (await details(page, id)).data
  expect(read).toMatchObject({
    phone: '+8613900005678',
    version: 1,
    secondaryOrganizations: [{ code: 'art' }],
    states: [{ state: 'inactive' }],
  })
  expect(await accounts(page, 'search=wangwu')).toEqual(['20269999'])
  expect(await accounts(page, `organizationId=${organizationId('art')}`)).toContain('20269999')
  const taken = await page.call(`${BASE}/create/`, { body: { ...body, phone: '13900005678' } })
  expect(fieldsOf(taken.data)).toContain('account')
  const changed = await page.call<UserDetails>(`${BASE}/${id}/update/`, {
    body: { version: 1, name: '王小五', mailbox: 'w5@example.edu' },
  })
  expect(changed.data).toMatchObject({ name: '王小五', mailbox: 'w5@example.edu', phone: '+8613900005678', version: 2 })
  const lost = await page.call<{ current: UserDetails }>(`${BASE}/${id}/update/`, { body: { version: 1, name: 'X' } })
  expect([lost.status, lost.envelope.code, lost.data.current.name]).toEqual([409, 'version.conflict', '王小五'])
  const same = await page.call<UserDetails>(`${BASE}/${id}/update/`, { body: { version: 2, name: '王小五' } })
  expect(same.data.version).toBe(2)
  const { sql } = server.platform
  const lines = await sql`select action, before, after from audit_records where user_id = ${id} order by at`
  expect(lines.map(({ action }) => action)).toEqual(['account.create', 'account.update'])
  expect(lines[1]).toMatchObject({
    before: { name: '王五', mailbox: null },
    after: { name: '王小五', mailbox: 'w***@example.edu' },
  })
})

test('outside its validity dates an account can not log in', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const lisi = id('20260002')
  const at = (days: number) => new Date(server.platform.now().getTime() + days * 86_400_000).toISOString()
  const set = (body: object) =>
    details(page, lisi).then(({ data }) =>
      page.call(`${BASE}/${lisi}/update/`, { body: { version: data.version, ...body } }),
    )
  expect(fieldsOf((await set({ validFrom: at(2), validUntil: at(1) })).data)).toEqual(['validUntil'])
  await set({ validFrom: at(1), validUntil: at(3) })
  await expect(logIn(server, '20260002')).rejects.toThrow('sign-in.not-yet')
  expect(await accounts(page, 'state=expired')).toEqual(['20260002'])
  server.advance(2 * 86_400)
  await logIn(server, '20260002')
  server.advance(2 * 86_400)
  await expect(logIn(server, '20260002')).rejects.toThrow('sign-in.expired')
})

test('a scoped administrator sees and changes people in scope, and nobody else', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  const page = await openPortal(server, { permissions: ['edit'], administers: organizationId('cs') })
  const theirs = id('20260001')
  const other = id('20260003')
  expect(await accounts(page)).toEqual(['20260001', '20260002'])
  expect((await list(page)).total).toBe(2)
  expect(await accounts(page, 'search=ouyang')).toEqual([])
  expect((await details(page, theirs)).data).toMatchObject({
    phone: '+8613800001234',
    may: { edit: true, unlock: false, reset: false },
  })
  expect((await details(page, other)).envelope.code).toBe('user.not-found')
  expect((await details(page, v7())).envelope).toMatchObject({ code: 'user.not-found' })
  for (const name of ['disable_user', 'lock', 'freeze', 'delete']) {
    expect((await verb(page, other, name)).envelope.code).toBe('user.not-found')
  }
  for (const name of ['reset', 'unlock', 'thaw', 'set_administrator']) {
    expect((await verb(page, theirs, name)).envelope.code).toBe('permission.denied')
  }
  const { version } = (await details(page, theirs)).data
  const away = await page.call(`${BASE}/${theirs}/update/`, {
    body: { version, organizationId: organizationId('art') },
  })
  expect(fieldsOf(away.data)).toEqual(['organizationId'])
  const none = await page.call(`${BASE}/create/`, { body: { account: 'n2', name: 'N' } })
  expect(fieldsOf(none.data)).toEqual(['organizationId'])
  const nowhere = await page.call(`${BASE}/${theirs}/update/`, { body: { version, organizationId: null } })
  expect(fieldsOf(nowhere.data)).toEqual(['organizationId'])
  const created = await page.call(`${BASE}/create/`, {
    body: { account: 'n1', name: 'N', organizationId: organizationId('art') },
  })
  expect(fieldsOf(created.data)).toEqual(['organizationId'])
  const many = await page.call<BatchAnswer>(`${BASE}/batch_change/`, {
    body: { selection: { ids: [theirs, other] }, verb: 'disable' },
  })
  expect(many.data).toMatchObject({
    changed: 1,
    refused: [{ id: other, account: '', name: '', code: 'user.not-found' }],
  })
  for (const path of ['sessions', 'records']) expect((await page.call(`${BASE}/${other}/${path}/`)).status).toBe(404)
  const looking = await openPortal(server, { permissions: [], administers: organizationId('cs') })
  expect((await details(looking, theirs)).data.phone).toBe('138****1234')
})

test('of parallel creations with one number one succeeds', async () => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true })
  const tries = await Promise.all(
    [1, 2, 3].map((n) =>
      page.call(`${BASE}/create/`, { body: { account: '777', name: `N${n}`, phone: `1390000000${n}` } }),
    ),
  )
  expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
  expect(await addPerson(server, { account: '778' })).not.toBe('')
})

test('secondary departments outside an administrator’s scope are not named to them, and stay when they save', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  const root = await openPortal(server, { isSuperUser: true, account: 'root' })
  const both = [organizationId('art'), organizationId('school')]
  await root.call(`${BASE}/${id('20260001')}/update/`, { body: { version: 1, secondaryOrganizationIds: both } })
  const page = await openPortal(server, { account: 'dean', permissions: ['edit'], administers: organizationId('cs') })
  const seen = (await details(page, id('20260001'))).data
  expect(seen.secondaryOrganizations).toEqual([])
  const saved = await page.call<UserDetails>(`${BASE}/${id('20260001')}/update/`, {
    body: { version: seen.version, name: '张四丰', secondaryOrganizationIds: [] },
  })
  expect([saved.status, saved.data.secondaryOrganizations]).toEqual([200, []])
  const kept = (await details(root, id('20260001'))).data.secondaryOrganizations.map(({ code }) => code)
  expect(kept).toEqual(['art', 'school'])
})

test('whoever may not change a person can not find out their phone or mailbox by searching', async () => {
  const server = await testServer()
  const { organizationId } = await school(server)
  const onlooker = await openPortal(server, { account: 'onlooker', permissions: [], administers: organizationId('cs') })
  const dean = await openPortal(server, { account: 'dean', permissions: ['edit'], administers: organizationId('cs') })
  for (const search of ['13800001234', '1234&searchBy=3', 'lisi@example.edu', 'lisi&searchBy=4']) {
    expect([search, await accounts(onlooker, `search=${search}`)]).toEqual([search, []])
    expect([search, (await accounts(dean, `search=${search}`)).length]).toEqual([search, 1])
  }
  expect(await accounts(onlooker, 'search=20260001')).toEqual(['20260001'])
})

test('any name within the limits can be indexed', async () => {
  const server = await testServer()
  const { organizationId } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  // Squared words expand to up to six letters each, Hangul syllables to three; neither repeats enough to be compressed.
  const squared = Array.from({ length: 100 }, (_, at) => String.fromCodePoint(0x3300 + ((at * 37) % 88))).join('')
  const hangul = Array.from({ length: 100 }, (_, at) => String.fromCodePoint(0xac00 + ((at * 7919) % 11172))).join('')
  const rare = Array.from({ length: 50 }, (_, at) => String.fromCodePoint(0x20000 + ((at * 7919) % 42000))).join('')
  for (const [at, name] of [squared, hangul, rare].entries()) {
    const account = `${at}${hangul.slice(0, 63)}`
    const mailbox = `${at}${hangul.slice(0, 60)}@${[hangul.slice(0, 60), rare.slice(0, 60), 'edu'].join('.')}`
    const { status, envelope } = await page.call(`${BASE}/create/`, {
      body: { account, name, organizationId: organizationId('cs'), mailbox, phone: `1390000567${at}` },
    })
    expect([status, envelope.code]).toEqual([200, undefined])
    const { data } = await page.call<{ total: number }>(`${BASE}/query/?${new URLSearchParams({ search: account })}`)
    expect(data.total).toBe(1)
  }
})
