import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { DataSource, SourceTest } from '#shared/contract/data-sources.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import { type JsonAnswer as Answer, JsonServer, openBeside } from '../../testing/json-server.ts'
import type { Portal } from '../../testing/portal.ts'
import type { TestServer } from '../../testing/server.ts'

type Person = { id: string; name: string }

let server: TestServer
let root: Portal
let base: string
const other = new JsonServer()
const { seen } = other
beforeAll(async () => {
  ;({ server, root, base } = await openBeside(other))
})
afterAll(async () => {
  other.close()
  await server.close()
})

const people = (from: number, to: number): Person[] =>
  [...Array(Math.max(0, to - from))].map((_, at) => ({ id: `P${from + at}`, name: `Person ${from + at}` }))
const source = (options: object, more: object = {}) => ({
  name: 'REST',
  kind: 'rest',
  options: { url: `${base}/people`, ...options },
  ...more,
})
const look = async (fields: object, keyColumn = 'id') => {
  seen.length = 0
  const { data, envelope } = await root.call<SourceTest>('/data_source/test/', {
    body: { ...fields, table: 'people', keyColumn },
  })
  return data ?? envelope
}

test('one answer is read as a table: nested fields by dotted names, lists joined, long numbers as they are', async () => {
  other.answer = () =>
    '{"result":{"items":[{"id":9007199254740993,"person":{"name":"王小明"},"roles":["a","b"],"on":true},{"id":9007199254740992}]}}'
  const found = await look(source({ rowsPath: 'result.items' }))
  expect(found).toMatchObject({ isOk: true, count: 2, mayWrite: null, isEncrypted: false, tables: ['people'] })
  expect(found.columns.map(({ name }) => name)).toEqual(['id', 'person.name', 'roles', 'on'])
  expect(found.rows[0]).toEqual(['9**************3', '王**', 'a**', 't***'])
  expect(found.key).toEqual({ column: 'id', repeated: 0, empty: 0 })
})

test('pages are requested by number, offset, first row, cursor, a link in the answer or a link in its header', async () => {
  const all = people(0, 25)
  const cases: [object, Answer][] = [
    [
      { paging: 'page', pageParameter: 'p', sizeParameter: 'n', firstPage: 1 },
      (_, __, { searchParams: q }) =>
        all.slice((Number(q.get('p')) - 1) * Number(q.get('n')), Number(q.get('p')) * Number(q.get('n'))),
    ],
    [
      { paging: 'offset', pageParameter: 'skip' },
      (_, __, { searchParams: q }) => all.slice(Number(q.get('skip')), Number(q.get('skip')) + 7),
    ],
    [
      { paging: 'index', pageParameter: 'startIndex', sizeParameter: 'count' },
      (_, __, { searchParams: q }) =>
        all.slice(Number(q.get('startIndex')) - 1, Number(q.get('startIndex')) - 1 + Number(q.get('count'))),
    ],
    [
      { paging: 'cursor', pageParameter: 'after', rowsPath: 'rows', cursorPath: 'next' },
      (_, __, { searchParams: q }) => ({
        rows: all.slice(Number(q.get('after') ?? 0), Number(q.get('after') ?? 0) + 10),
        next: Number(q.get('after') ?? 0) + 10 < 25 ? Number(q.get('after') ?? 0) + 10 : null,
      }),
    ],
    [
      { paging: 'link', rowsPath: 'value', cursorPath: 'nextLink' },
      (_, __, { searchParams: q }) => ({
        value: all.slice(Number(q.get('at') ?? 0), Number(q.get('at') ?? 0) + 9),
        ...(Number(q.get('at') ?? 0) + 9 < 25 && { nextLink: `${base}/people?at=${Number(q.get('at') ?? 0) + 9}` }),
      }),
    ],
    [
      { paging: 'link' },
      (_, response, { searchParams: q }) => {
        const at = Number(q.get('at') ?? 0)
        if (at + 6 < 25)
          response.setHeader('link', `<${base}/people?at=0>; rel="first", </people?at=${at + 6}>; rel="next"`)
        return all.slice(at, at + 6)
      },
    ],
  ]
  for (const [options, way] of cases) {
    other.answer = way
    expect([options, await look(source({ pageSize: 10, ...options }))]).toMatchObject([
      options,
      { isOk: true, count: 25 },
    ])
  }
})

test('a preview of a mapping answers with the rows that came when the source falls silent, or fails, behind them', async () => {
  const { data } = await root.call<DataSource>('/data_source/create/', {
    body: source({ paging: 'page', pageParameter: 'p', pageSize: 10 }, { name: 'Silent' }),
  })
  const body = { sourceId: data.id, table: 'people', keyColumn: 'id', mapping: [{ column: 'name', field: 'name' }] }
  const preview = async () =>
    (
      await root.call<{ problem: string | null; isWhole: boolean; rows: object[] }>('/directory_sync/preview/', {
        body,
      })
    ).data
  const pages =
    (second: Answer): Answer =>
    (...asked) =>
      asked[2].searchParams.get('p') === '1' ? people(0, 10) : second(...asked)
  const isAsked = () => seen.some(({ url }) => url.includes('p=2'))
  let silent: ServerResponse | undefined
  seen.length = 0
  other.answer = pages((_, response) => {
    silent = response
    // Kept open: the test ends it.
    Object.defineProperty(response, 'writableEnded', { value: true, configurable: true })
    return ''
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const answered = preview()
  while (!isAsked()) await new Promise(setImmediate)
  vi.advanceTimersByTime(3000)
  expect(await answered).toMatchObject({ problem: null, isWhole: false, rows: Array(10).fill({}) })
  vi.useRealTimers()
  silent?.destroy()
  other.answer = pages((_, response) => {
    response.statusCode = 500
    return {}
  })
  expect(await preview()).toMatchObject({ problem: expect.stringContaining('500'), rows: Array(10).fill({}) })
  other.answer = pages((_, __, { searchParams: q }) => (q.get('p') === '2' ? people(10, 13) : []))
  expect(await preview()).toMatchObject({ problem: null, isWhole: true, rows: Array(13).fill({}) })
})

test('whoever asks is proved in the way that the other side asks for', async () => {
  other.answer = (request) =>
    request.url?.startsWith('/token') ? { access_token: 'a-token', token_type: 'Bearer' } : people(0, 1)
  const sent = async (options: object, more: object = {}) => {
    await look(source(options, { user: 'reader', password: 'a: secret', ...more }))
    return seen.at(-1)?.headers
  }
  const basic = `Basic ${Buffer.from('reader:a: secret').toString('base64')}`
  expect((await sent({ auth: 'none' }))?.authorization).toBeUndefined()
  expect((await sent({ auth: 'basic' }))?.authorization).toBe(basic)
  expect((await sent({ auth: 'bearer' }, { password: 'abc' }))?.authorization).toBe('Bearer abc')
  expect((await sent({ auth: 'header', headerName: 'X-Api-Key' }, { password: 'abc' }))?.['x-api-key']).toBe('abc')
  expect((await sent({ auth: 'oauth2', tokenUrl: `${base}/token`, scope: 'people.read' }))?.authorization).toBe(
    'Bearer a-token',
  )
  expect(seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('reader:a%3A%20secret').toString('base64')}`)
  expect(Object.fromEntries(new URLSearchParams(seen[0]?.body))).toEqual({
    grant_type: 'client_credentials',
    scope: 'people.read',
  })
})

test('a token that expires between two pages is renewed, and the page is asked for again', async () => {
  let tokens = 0
  const asked: string[] = []
  other.answer = (request, response, { searchParams: q }) => {
    if (request.url?.startsWith('/token')) return { access_token: `token-${++tokens}`, token_type: 'Bearer' }
    const page = Number(q.get('p'))
    asked.push(`${page} ${request.headers.authorization}`)
    response.statusCode = page > 1 && request.headers.authorization === 'Bearer token-1' ? 401 : 200
    return response.statusCode === 401 ? {} : people((page - 1) * 10, Math.min(page * 10, 25))
  }
  const options = { paging: 'page', pageParameter: 'p', pageSize: 10, auth: 'oauth2', tokenUrl: `${base}/token` }
  const found = await look(source(options, { user: 'reader', password: 'secret' }))
  expect(found).toMatchObject({ isOk: true, count: 25 })
  expect([...new Set(asked)].slice(0, 3)).toEqual(['1 Bearer token-1', '2 Bearer token-1', '2 Bearer token-2'])
  expect(tokens).toBe(2)
})

test('a repeated page, missing rows and an error instead of rows are no source without people', async () => {
  const problem = async (options: object, way: Answer) => {
    other.answer = way
    const found = await look(source(options))
    return [found.isOk, found.problem]
  }
  const byPage = { paging: 'page', pageParameter: 'page' }
  expect(await problem(byPage, () => people(0, 5))).toEqual([false, 'repeated-page'])
  expect(
    await problem({ ...byPage, rowsPath: 'rows', totalPath: 'total' }, (_, __, url) => ({
      total: 30,
      rows: url.searchParams.get('page') === '1' ? people(0, 10) : [],
    })),
  ).toEqual([false, 'cut-off'])
  expect(await problem({ rowsPath: 'rows' }, () => ({ error: 'database is away' }))).toEqual([false, 'failed'])
  expect(await problem({ rowsPath: 'rows' }, () => ({ rows: null }))).toEqual([false, 'failed'])
  expect(await problem({}, () => '<html>Log in</html>')).toEqual([false, 'failed'])
  const withStatus =
    (status: number, headers: Record<string, string> = {}): Answer =>
    (_, response) => {
      response.writeHead(status, headers)
      return {}
    }
  expect(await problem({}, withStatus(401))).toEqual([false, 'login-refused'])
  expect(await problem({}, withStatus(403))).toEqual([false, 'no-rights'])
  expect(await problem({}, withStatus(429))).toEqual([false, 'limited'])
  expect(await problem({}, withStatus(302, { location: 'http://169.254.169.254/' }))).toEqual([false, 'referral'])
  expect(seen).toHaveLength(1)
  expect(await problem({}, (_, response) => void response.destroy())).toEqual([false, 'cut-off'])
  expect(await problem({}, () => `["${'x'.repeat(33 * 1024 * 1024)}"]`)).toEqual([false, 'limited'])
})

test('pages that lead in a circle end the read, whether their rows differ each time or are missing', async () => {
  let asked = 0
  const problem = async (options: object, way: Answer) => {
    asked = 0
    other.answer = (...given) => {
      asked += 1
      return way(...given)
    }
    return (await look(source({ rowsPath: 'rows', cursorPath: 'next', ...options }))).problem
  }
  const byLink = { paging: 'link' }
  expect(
    await problem(byLink, (_, __, url) => ({ rows: people(asked * 5, 5), next: `${url.pathname}?at=${asked % 3}` })),
  ).toBe('repeated-page')
  expect(asked).toBeLessThan(10)
  expect(await problem({ paging: 'cursor', pageParameter: 'c' }, () => ({ rows: [], next: 'again' }))).toBe(
    'repeated-page',
  )
  expect(asked).toBe(2)
})

test('a link to another host is not followed, and forbidden addresses are not called', async () => {
  other.answer = () => ({ value: people(0, 2), next: 'http://127.0.0.1:1/steal' })
  expect(await look(source({ paging: 'link', rowsPath: 'value', cursorPath: 'next' }))).toMatchObject({
    problem: 'referral',
  })
  expect(await look(source({ url: 'http://169.254.169.254/latest' }))).toMatchObject({ problem: 'forbidden-address' })
  const create = async (options: object) =>
    (
      await root.call('/data_source/create/', {
        body: source(options, { name: `Bad ${JSON.stringify(options)}`.slice(0, 90) }),
      })
    ).status
  expect(await create({ url: 'file:///etc/passwd' })).toBe(400)
  expect(await create({ url: '' })).toBe(400)
  expect(await create({ url: 'https://user:pass@hr.example.edu/people' })).toBe(400)
  expect(await create({ auth: 'header', headerName: 'bad name\r\nx' })).toBe(400)
  expect(await create({ auth: 'oauth2', tokenUrl: '' })).toBe(400)
  expect(await create({ paging: 'cursor', pageParameter: 'c', cursorPath: '' })).toBe(400)
})

test('the secret is sealed, and sent to no other address, header or token endpoint than it was entered for', async () => {
  other.answer = () => people(0, 2)
  const body = source({ auth: 'bearer' }, { name: 'Sealed', password: 'very-secret' })
  const { data } = await root.call<DataSource>('/data_source/create/', { body })
  expect(data).toMatchObject({ password: SECRET_PLACEHOLDER, host: '' })
  const [row] = await server.platform
    .sql`select password, options::text as options from data_sources where id = ${data.id}`
  expect(JSON.stringify(row)).not.toContain('very-secret')
  const change = async (options: object) =>
    (
      await root.call(`/data_source/${data.id}/update/`, {
        body: { ...body, password: SECRET_PLACEHOLDER, options: { ...body.options, ...options }, version: 1 },
      })
    ).status
  expect(await change({ url: 'https://other.example.edu/people' })).toBe(422)
  expect(await change({ departmentsUrl: 'https://other.example.edu/departments' })).toBe(422)
  expect(await change({ auth: 'header', headerName: 'x-key' })).toBe(422)
  expect(await change({ rowsPath: 'rows' })).toBe(200)
})
