import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Change } from '#shared/contract/change-history.ts'
import type { IpRange, IpRangeImportReport, NetworkHint } from '#shared/contract/ip-ranges.ts'
import type { AuthenticationRecord } from '#shared/contract/records.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { attempt, BEHIND_PROXY } from '../../testing/sign-in.ts'

let server: TestServer
let root: Portal
beforeAll(async () => {
  server = await startTestServer(BEHIND_PROXY)
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
})
afterAll(() => server.close())
afterEach(async () => {
  for (const { id, version } of await list()) await root.call(`/ip_range/${id}/delete/`, { body: { version } })
})

const list = async (query = '') =>
  (await root.call<{ records: IpRange[] }>(`/ip_range/query/?pageSize=100${query}`)).data.records
const create = (name: string, networks: string[], more: object = {}) =>
  root.call<IpRange>('/ip_range/create/', { body: { name, kind: 'campus', networks, ...more } })
const update = ({ id, version, name, names, kind, networks, note, enabled }: IpRange, changes: object) =>
  root.call<IpRange>(`/ip_range/${id}/update/`, {
    body: { version, name, names, kind, networks, note, enabled, ...changes },
  })
type Found = { ip: string; onCampus: boolean; matches: { name: string; network: string }[] }
const lookUp = async (ip: string, page: Portal = root) =>
  (await page.call<Found>(`/ip_range/lookup/?${new URLSearchParams({ ip })}`)).data
const nameOf = async (ip: string, page?: Portal) => (await lookUp(ip, page)).matches[0]?.name

test('a range stores its networks as networks, whatever was typed', async () => {
  const typed = ['10.1.2.3/16', '::ffff:192.0.2.0/120', '10.9.0.1 – 10.9.0.2', '2001:DB8::/32', '10.1.0.0/16']
  const { status, data } = await create('Library', typed, { names: { zh_CN: '图书馆' }, note: 'Reading rooms' })
  const networks = ['10.1.0.0/16', '192.0.2.0/24', '10.9.0.1/32', '10.9.0.2/32', '2001:db8::/32']
  expect([status, data.networks]).toEqual([200, networks])
  expect(data).toMatchObject({ version: 1, enabled: true, source: 'manual', shownName: 'Library' })
  expect((await list('&search=10.1.200.7')).map(({ name }) => name)).toEqual(['Library'])
  expect((await list('&search=10.2.0.1')).map(({ name }) => name)).toEqual([])
  expect((await list(`&search=${encodeURIComponent('图书')}&kind=campus&enabled=1`)).length).toBe(1)
})

test('the smallest network decides, only enabled ones, across ranges of every kind', async () => {
  const { data: everything } = await create('Everything', ['0.0.0.0/0'], { kind: 'other' })
  await create('Campus', ['10.0.0.0/8'])
  const { data: guests } = await create('Guests', ['10.20.0.0/16'], { kind: 'blocked' })
  expect(await lookUp('10.20.1.1')).toMatchObject({
    onCampus: false,
    matches: [{ name: 'Guests' }, { name: 'Campus' }, { name: 'Everything', network: '0.0.0.0/0' }],
  })
  expect(await lookUp('::ffff:10.3.0.1')).toMatchObject({ ip: '10.3.0.1', onCampus: true })
  expect(await nameOf('203.0.113.9')).toBe('Everything')
  expect((await lookUp('2001:db8::1')).matches).toEqual([])
  await update(guests, { enabled: false })
  expect(await lookUp('10.20.1.1')).toMatchObject({ onCampus: true, matches: [{ name: 'Campus' }, {}] })
  await root.call(`/ip_range/${everything.id}/delete/`, { body: { version: 1 } })
  expect(await nameOf('203.0.113.9')).toBeUndefined()
  expect((await root.call('/ip_range/lookup/?ip=10.1')).envelope.code).toBe('ip-range.bad-address')
})

test('the login record has the name of the range at that time', async () => {
  const { data: range } = await create('Old name', ['10.30.0.0/16'])
  const userId = await addPerson(server, { account: 'reader' })
  expect((await attempt(server, 'reader', undefined, { from: '10.30.0.7' })).status).toBe(200)
  await update(range, { name: 'New name', kind: 'other' })
  expect((await attempt(server, 'reader', 'wrong', { from: '::ffff:10.30.0.7' })).status).not.toBe(200)
  expect((await attempt(server, 'reader', undefined, { from: '203.0.113.9' })).status).toBe(200)
  const page = await openPortal(server, { userId })
  const { data } = await page.call<{ records: AuthenticationRecord[] }>('/certification_record/account/?sort=loginTime')
  expect(data.records.map(({ ipRange, onCampus }) => [ipRange, onCampus])).toEqual([
    ['Old name', true],
    ['New name', false],
    [null, false],
  ])
})

test('an invalid network, another range’s network and a taken name are rejected at their field', async () => {
  await create('First', ['10.0.0.0/8'])
  const refused = async (name: string, networks: string[]) => {
    const { status, envelope, data } = await create(name, networks)
    return [status, envelope.code, (data as unknown as { fields?: string[] }).fields]
  }
  expect(await refused('Second', ['10.1'])).toEqual([400, 'ip-range.bad-network', ['networks']])
  expect(await refused('Second', ['10.0.0.9-10.0.0.1'])).toEqual([400, 'ip-range.bad-network', ['networks']])
  expect(await refused('Second', ['10.99.0.0/8'])).toEqual([409, 'ip-range.network-taken', ['networks']])
  expect(await refused('First', ['10.1.0.0/16'])).toEqual([409, 'ip-range.name-taken', ['name']])
  const spans = Array.from({ length: 20 }, (_, at) => `10.${at}.0.1-10.${at}.255.254`)
  expect(await refused('Second', spans)).toEqual([400, 'ip-range.too-many-networks', ['networks']])
  expect((await list()).length).toBe(1)
})

test('overlaps and networks that no login comes from are reported before saving', async () => {
  const { data: campus } = await create('Campus', ['10.0.0.0/8', '10.20.0.0/16'])
  const check = async (networks: string[], id?: string) =>
    (await root.call<{ hints: NetworkHint[] }>('/ip_range/check/', { body: { networks, ...(id && { id }) } })).data
      .hints
  const inside = { network: '10.20.1.0/24', hint: 'inside', name: 'Campus', otherNetwork: '10.20.0.0/16' }
  expect(await check(['10.20.1.0/24', '192.168.0.0/16'])).toEqual([inside])
  expect(await check(['10.20.1.0/24'], campus.id)).toEqual([])
  const hints = await check(['0.0.0.0/0', '127.0.0.1', '224.0.0.0/4', '100.64.0.0/10', 'fe80::/10'])
  expect(hints.map(({ network, hint }) => [network, hint])).toEqual([
    ['0.0.0.0/0', 'everything'],
    ['127.0.0.1/32', 'loopback'],
    ['224.0.0.0/4', 'multicast'],
    ['100.64.0.0/10', 'carrier-nat'],
    ['fe80::/10', 'link-local'],
    ['0.0.0.0/0', 'around'],
  ])
})

test('another range is named in the language of who is told about it', async () => {
  await create('Campus', ['10.0.0.0/8'], { names: { zh_CN: '校园网' } })
  const headers = { 'accept-language': 'zh-CN' }
  const body = { name: 'Second', kind: 'campus', networks: ['10.0.0.0/8'] }
  expect((await root.call('/ip_range/create/', { body, headers })).envelope.message).toContain('“校园网”')
  const inside = { body: { networks: ['10.7.0.0/16'] }, headers }
  const { data } = await root.call<{ hints: NetworkHint[] }>('/ip_range/check/', inside)
  expect(data.hints.map(({ name }) => name)).toEqual(['校园网'])
})

test('of two who change a range at once the later is told, and the change can be rolled back', async () => {
  const { data: first } = await create('Dormitory', ['10.40.0.0/16'])
  expect((await update(first, { networks: ['10.41.0.0/16'], kind: 'other' })).data.version).toBe(2)
  const late = await update(first, { note: 'Late' })
  expect([late.status, late.envelope.code]).toEqual([409, 'version.conflict'])
  expect(late.data).toMatchObject({ current: { version: 2, networks: ['10.41.0.0/16'] } })
  // A change without effect leaves no audit record.
  await update({ ...first, version: 2 }, { networks: ['10.41.7.0/16'], kind: 'other' })
  const path = `/change_history/query/?targetKind=ip-range&targetId=${first.id}`
  const { records } = (await root.call<{ records: Change[] }>(path)).data
  expect(records.map(({ action, targetName }) => [action, targetName])).toEqual([
    ['ip-range.update', 'Dormitory'],
    ['ip-range.create', 'Dormitory'],
  ])
  const [line] = records
  const body = { at: line?.at, side: 'before', version: 2, reason: 'Was right' }
  expect((await root.call(`/change_history/${line?.id}/roll_back/`, { body })).data).toEqual({ changed: true })
  expect(await lookUp('10.40.0.1')).toMatchObject({ onCampus: true, matches: [{ name: 'Dormitory' }] })
})

const send = (verb: 'check' | 'run', text: string | Buffer) => {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(Buffer.from(text as string))], 'ranges.csv'))
  return root.call<IpRangeImportReport>(`/ip_range/import/${verb}/`, { body: form })
}

test('a file may move a network from one range to another, in whatever order its rows are', async () => {
  await create('First', ['10.61.0.0/16'])
  await create('Second', ['10.62.0.0/16', '10.63.0.0/16'])
  const rows = ['First,campus,"10.62.0.0/16, 10.61.0.0/16"', 'Second,campus,10.63.0.0/16']
  expect((await send('run', `name,kind,networks\n${rows.join('\n')}`)).data.counts).toMatchObject({ changed: 2 })
  expect((await list()).map(({ networks }) => networks)).toEqual([['10.62.0.0/16', '10.61.0.0/16'], ['10.63.0.0/16']])
  const both = ['First,campus,10.64.0.0/16', 'Second,campus,10.64.0.0/16']
  const { data } = await send('check', `name,kind,networks\n${both.join('\n')}`)
  expect(data.rows.map(({ result }) => result)).toEqual(['changed', 'refused'])
})

test('a file is imported as a whole or not at all, with a result for each row', async () => {
  await create('Library', ['10.1.0.0/16'], { note: 'Kept' })
  const bad = [
    'Name,Type,Networks,Status',
    'Library,campus,10.2.0.0/16,Enabled',
    'Hall,Trusted,10.1.0.0/16 10.3.0.1-10.3.0.2,disabled',
    'Hall,other,10.4.0.0/16,',
    'Gym,nowhere,10.5.0.0/16,',
    'Lab,other,10.2.0.0/16,',
    'Office,other,10.2,',
  ].join('\n')
  const { data: report } = await send('check', bad)
  expect(report.counts).toEqual({ new: 1, changed: 1, unchanged: 0, refused: 4 })
  expect(report.rows.map(({ row, name, result }) => [row, name, result])).toEqual([
    [2, 'Library', 'changed'],
    [3, 'Hall', 'new'],
    [4, 'Hall', 'refused'],
    [5, 'Gym', 'refused'],
    [6, 'Lab', 'refused'],
    [7, 'Office', 'refused'],
  ])
  expect(report.rows.at(-2)?.message).toContain('Library')
  const refused = await send('run', bad)
  expect([refused.status, refused.envelope.code]).toEqual([409, 'ip-range.import-refused'])
  expect(await list()).toMatchObject([{ name: 'Library', networks: ['10.1.0.0/16'], version: 1 }])
  const good = bad.split('\n').slice(0, 3).join('\n')
  expect((await send('run', good)).data.counts).toEqual({ new: 1, changed: 1, unchanged: 0, refused: 0 })
  expect(await list()).toMatchObject([
    {
      name: 'Hall',
      kind: 'trusted',
      enabled: false,
      source: 'import',
      networks: ['10.1.0.0/16', '10.3.0.1/32', '10.3.0.2/32'],
    },
    { name: 'Library', note: 'Kept', version: 2, source: 'manual', networks: ['10.2.0.0/16'] },
  ])
  expect(await nameOf('10.2.0.1')).toBe('Library')
  expect((await send('run', good)).data.counts).toMatchObject({ unchanged: 2, changed: 0 })
  const ids = (await list()).map(({ id }) => id)
  const lines = await server.platform.sql<{ action: string }[]>`
    select action from audit_records where target_kind = 'ip-range' and target_id = any(${ids}::text[]) order by action`
  expect(lines.map(({ action }) => action)).toEqual(['ip-range.create', 'ip-range.create', 'ip-range.update'])
  expect((await send('check', 'a,b\n1,2')).envelope.code).toBe('ip-range.import-columns')
})

test('a file that was cut off in the middle of a network makes no network of a fourth of all addresses', async () => {
  const file = 'name,kind,networks\nMapped,other,::ffff:203.0.113.0/120\nHall,blocked,12.0.1.0/24'
  expect((await send('check', file)).data.rows.map(({ networks }) => networks)).toEqual([
    ['203.0.113.0/24'],
    ['12.0.1.0/24'],
  ])
  const cut = await send('check', file.slice(0, -1))
  expect(cut.data.counts).toMatchObject({ new: 1, refused: 1 })
  expect(cut.data.rows[1]?.message).toContain('0.0.0.0/2')
  expect((await send('run', file.slice(0, -1))).envelope).toMatchObject({
    code: 'ip-range.import-refused',
    message: "1 row can't be imported, so nothing was imported.",
  })
})

test('headings and words in Chinese are understood, as a spreadsheet program in China saves them', async () => {
  const gb18030 = Buffer.from('c3fbb3c62cc0e0d0cd2ccdf8b6ce0acdbcd0f02cd0a3d4b0cdf82c31302e312e302e302f31360a', 'hex')
  const { data } = await send('check', gb18030)
  expect(data.rows).toMatchObject([{ row: 2, result: 'new', networks: ['10.1.0.0/16'] }])
})

test('a change applies on every node', async () => {
  const other = await server.secondNode()
  const onOther: Portal = await openPortal(other, { userId: root.user.userId })
  expect(await nameOf('10.50.0.1', onOther)).toBeUndefined()
  await create('Second node', ['10.50.0.0/16'])
  await expect.poll(() => nameOf('10.50.0.1', onOther), { timeout: 10_000 }).toBe('Second node')
})
