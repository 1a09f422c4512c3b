import { get } from 'node:http'
import { parseCsv } from 'hucre/csv'
import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { MAX_EXPORTED_ROWS } from '#shared/contract/records.ts'
import { insertPerson, openPortal, type Portal } from '../../testing/portal.ts'
import { insertAuditRecord, insertLoginRecord } from '../../testing/records.ts'
import { testServer } from '../../testing/server.ts'
import { signedFetch, signedRequest } from '../../testing/signed.ts'

const LIST = '/certification_record/account/export/'
const VISITS = '/certification_record/application/export/'
const ZONE = 'timeZone=Asia%2FShanghai'

/** The raw answer: not every one is JSON. */
const fetchFile = (page: Portal, query: string, language = 'en', list = LIST) =>
  signedFetch(page.server, `${list}?${query}`, {
    token: page.token,
    cookie: page.browser.cookieHeader('/auth_service/'),
    headers: { 'accept-language': language },
  })

async function csvOf(page: Portal, query = '', language = 'en'): Promise<string[][]> {
  const answer = await fetchFile(page, `format=csv&${ZONE}${query}`, language)
  expect(answer.status).toBe(200)
  return parseCsv(await answer.text()) as string[][]
}

test('a csv file matches the list: own records only, filtered, times in the zone, texts in the language', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const { userId } = page.user
  await insertLoginRecord(server, userId, { at: new Date('2026-11-20T23:05:09Z'), account: 'lilei', onCampus: true })
  await insertLoginRecord(server, userId, { succeeded: false, reason: 'password.wrong', account: 'typo' })
  await insertLoginRecord(server, await insertPerson(server), { account: 'stranger' })
  const answer = await fetchFile(page, `format=csv&${ZONE}&result=1`, 'zh-CN')
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toContain('attachment')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const rows = parseCsv(bytes.toString('utf8')) as string[][]
  expect(rows).toHaveLength(2)
  expect(rows[0]?.slice(0, 3)).toEqual(['登录时间 (Asia/Shanghai)', '退出时间 (Asia/Shanghai)', '认证结果'])
  expect(rows[1]?.slice(0, 3)).toEqual(['2026-11-21 07:05:09', '', '登录成功'])
  expect(rows[1]).toEqual(expect.arrayContaining(['lilei', '校内', 'Windows 11']))
  expect((await csvOf(page, '&result=0'))[1]).toEqual(expect.arrayContaining(['typo', 'Refused', 'Wrong password']))
})

/** A download that breaks off after its first bytes. Not by `fetch`, which then opens a connection that it never uses. */
function breakOff(page: Portal, path: string): Promise<void> {
  const cookie = page.browser.cookieHeader('/auth_service/')
  const { url, init } = signedRequest(page.server, path, { token: page.token, cookie })
  return new Promise((done, failed) => {
    const request = get(url, { headers: init.headers, agent: false }, (response) => {
      response.once('data', () => done(void response.destroy()))
    })
    request.once('error', failed)
  })
}

const HOSTILE = ['=1+1', '+8613800000001', '-2', '@SUM(A1)', '\t=1', '\r=1', ' =cmd|x', '＝1+1', '|calc']

test('a cell that a spreadsheet would evaluate is text, in both formats, and numbers keep their zeros', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const names = [...HOSTILE, '0013800000001', '20260001', '"quoted", with; everything\nin it', '𠮷䶮·']
  for (const account of names) {
    server.advance(1)
    await insertLoginRecord(server, page.user.userId, { account })
  }
  const column = (rows: string[][]) => {
    const at = rows[0]?.indexOf('Login name') ?? -1
    return rows.slice(1).map((row) => row[at])
  }
  const csv = column(await csvOf(page, '&sort=loginTime'))
  // To a program that separates at tabs, the character after one starts a cell.
  const kept = (name: string) => `'${name.replace(/^[\t\r]/, "$&'")}`
  expect(csv).toEqual(names.map((name) => (HOSTILE.includes(name) ? kept(name) : name)))

  const answer = await fetchFile(page, `format=xlsx&${ZONE}&sort=loginTime`)
  const book = await readXlsx(new Uint8Array(await answer.arrayBuffer()))
  const rows = (book.sheets[0]?.rows ?? []) as string[][]
  const cells = column(rows)
  expect(cells.every((cell) => typeof cell === 'string')).toBe(true)
  // XML reads a carriage return as a line break.
  expect(cells.map((cell) => cell?.replaceAll('\n', '\r'))).toEqual(names.map((name) => name.replaceAll('\n', '\r')))
  const formulas = [...(book.sheets[0]?.cells?.values() ?? [])].filter((cell) => cell.formula !== undefined)
  expect(formulas).toEqual([])
})

test('an export is recorded with what it contained, and masks what its list masks', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const { userId } = page.user
  await insertAuditRecord(server, userId, {
    before: { phone: '138****0001', secret: 'x' },
    after: { hash: 'argon2id' },
  })
  const answer = await signedFetch(server, `/certification_record/password/export/?format=csv&${ZONE}`, {
    token: page.token,
    cookie: page.browser.cookieHeader('/auth_service/'),
  })
  const text = await answer.text()
  expect(text).toContain('Phone: 138****0001 → —')
  expect(text).not.toMatch(/argon2id|secret/)
  const [line] = await server.platform.sql`
    select user_id, actor_id, after from audit_records where action = 'records.export'`
  expect(line).toEqual({ userId, actorId: userId, after: { list: 'my-password.title', format: 'csv', rows: 1 } })
})

test('an invalid request is rejected before anything is sent or recorded', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const wrong = ['format=pdf', 'timeZone=Mars%2FPhobos&format=csv', `${ZONE}`, `format=csv&${ZONE}&pageSize=5`]
  for (const query of [...wrong, `format=csv&${ZONE}&sort=id`, `format=csv&${ZONE}&userId=${page.user.userId}`]) {
    expect([query, (await fetchFile(page, query)).status]).toEqual([query, 400])
  }
  expect(await server.platform.sql`select from audit_records`).toHaveLength(0)
})

test('a long list is exported completely up to the limit, says that it was cut, and one person exports once at a time', {
  timeout: 60_000,
}, async () => {
  const server = await testServer()
  const page = await openPortal(server)
  await server.platform.sql`
    insert into visit_records (id, at, user_id, application_id, entry, ip, client_type, on_campus)
    select gen_random_uuid(), ${server.platform.now()}::timestamptz - (n / 3) * interval '1 second', ${page.user.userId}::uuid,
      gen_random_uuid(), 'portal', '10.0.0.0'::inet + n, 'pc', true
    from generate_series(0, ${MAX_EXPORTED_ROWS}::int) n`
  const visits = (query = '') => fetchFile(page, `format=csv&${ZONE}${query}`, 'en', VISITS)
  const answer = await visits()
  const second = await visits()
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, '5'])
  expect(answer.headers.get('x-export-cut')).toBe('1')
  const rows = (await answer.text()).trimEnd().split('\r\n')
  expect(rows).toHaveLength(MAX_EXPORTED_ROWS + 2)
  expect(new Set(rows.slice(1, -1).map((row) => row.split(',').at(-1))).size).toBe(MAX_EXPORTED_ROWS)
  expect(rows.at(-1)).toContain('100000')
  await breakOff(page, `${VISITS}?format=csv&${ZONE}`)
  const again = async () => {
    const few = await visits('&ip=10.0.0.77')
    await few.text()
    return few.status
  }
  await expect.poll(again, { timeout: 20_000 }).toBe(200)
})
