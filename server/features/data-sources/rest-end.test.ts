import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SourceTest } from '#shared/contract/data-sources.ts'
import { JsonServer, openBeside } from '../../testing/json-server.ts'
import type { Portal } from '../../testing/portal.ts'
import type { TestServer } from '../../testing/server.ts'

let server: TestServer
let root: Portal
let base: string
const other = new JsonServer()
beforeAll(async () => {
  ;({ server, root, base } = await openBeside(other))
})
afterAll(async () => {
  other.close()
  await server.close()
})

const all = Array.from({ length: 25 }, (_, at) => ({ id: `P${at}`, name: `Person ${at}` }))

/** @returns the number of rows, or why they can't be read. */
async function countRows(options: object) {
  const paged = { url: `${base}/people`, pageParameter: 'at', sizeParameter: 'n', pageSize: 10, ...options }
  const { data } = await root.call<SourceTest>('/data_source/test/', {
    body: { name: 'REST', kind: 'rest', options: paged, table: 'people', keyColumn: 'id' },
  })
  return data.isOk ? data.count : data.problem
}

test('without a total, an empty page is the end only if it stays empty and nothing comes behind it', async () => {
  const found = async (paging: string, way: (url: URL) => unknown) => {
    other.answer = (_, __, url) => way(url)
    return await countRows({ paging })
  }
  const at = (url: URL) => Number(url.searchParams.get('at'))
  const byPage = (url: URL) => all.slice((at(url) - 1) * 10, at(url) * 10)
  expect(await found('page', byPage)).toBe(25)
  // Lost for good, and lost once.
  expect(await found('page', (url) => (at(url) === 2 ? [] : byPage(url)))).toBe('cut-off')
  const lost = new Set<number>()
  const once = (key: number) => !lost.has(key) && Boolean(lost.add(key))
  expect(await found('page', (url) => (at(url) === 3 && once(3) ? [] : byPage(url)))).toBe('cut-off')
  expect(await found('offset', (url) => (at(url) === 10 ? [] : all.slice(at(url), at(url) + 10)))).toBe('cut-off')
  expect(await found('index', (url) => (at(url) === 11 ? [] : all.slice(at(url) - 1, at(url) + 9)))).toBe('cut-off')
})

test('a total that is too small is not the end; behind the last page an API answers nothing, an error or that page again', async () => {
  const found = async (paging: string, total: number, behind: (response: ServerResponse) => unknown) => {
    other.answer = (_, response, url) => {
      const at = Number(url.searchParams.get('at'))
      const first = { page: (at - 1) * 10, offset: at, index: at - 1 }[paging] ?? 0
      return first < all.length ? { total, rows: all.slice(first, first + 10) } : behind(response)
    }
    return await countRows({ paging, rowsPath: 'rows', totalPath: 'total' })
  }
  const nothing = () => ({ total: 25, rows: [] })
  for (const paging of ['page', 'offset', 'index']) {
    expect(await found(paging, 25, nothing)).toBe(25)
    expect(await found(paging, 10, nothing)).toBe('cut-off')
  }
  expect(await found('page', 25, () => ({ total: 25, rows: all.slice(20) }))).toBe(25)
  expect(await found('page', 25, () => ({ error: 'no such page' }))).toBe(25)
  expect(await found('page', 25, (response) => void response.writeHead(404).end())).toBe(25)
  expect(await found('page', 25, (response) => void response.writeHead(403).end())).toBe('no-rights')
})
