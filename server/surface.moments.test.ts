import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { toRefusal } from './platform/http/responses.ts'
import { type OpenClient, openClient } from './testing/open-api.ts'
import { addCasApplication } from './testing/people.ts'
import { openPortal, type Portal } from './testing/portal.ts'
import { startTestServer, type TestServer } from './testing/server.ts'

let server: TestServer
let page: Portal
let program: OpenClient
beforeAll(async () => {
  server = await startTestServer()
  page = await openPortal(server, { account: 'root', isSuperUser: true })
})
afterAll(() => server.close())

/** Valid syntax, but a year that PostgreSQL, or a date converted to UTC, can't represent. */
const OUT_OF_RANGE = ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00']

/** A place for a timestamp in a call's input, and how to fill it. */
type Spot = { path: string[]; put: (moment: string) => unknown }

type Shape = {
  format?: string
  const?: unknown
  properties?: Record<string, Shape>
  items?: Shape
} & { [combined in 'anyOf' | 'oneOf' | 'allOf']?: Shape[] }

function spotsIn(shape: Shape): Spot[] {
  if (shape.format === 'date-time') return [{ path: [], put: (moment) => moment }]
  const within = (key: string, inner: Shape, around: (value: unknown) => unknown) =>
    spotsIn(inner).map(({ path, put }) => ({ path: [key, ...path], put: (moment: string) => around(put(moment)) }))
  const members = Object.entries(shape.properties ?? {})
  const fixed = Object.fromEntries(members.flatMap(([name, one]) => ('const' in one ? [[name, one.const]] : [])))
  return [
    ...[shape.anyOf, shape.oneOf, shape.allOf].flatMap((some) => (some ?? []).flatMap(spotsIn)),
    ...members.flatMap(([name, one]) => within(name, one, (value) => ({ ...fixed, [name]: value }))),
    ...(shape.items ? within('0', shape.items, (value) => [value]) : []),
  ]
}

const spotsOf = (schema: z.ZodType): Spot[] =>
  spotsIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape)

/** Also inside unions. */
function pathsOf(issues: readonly z.core.$ZodIssue[], at: readonly PropertyKey[] = []): string[] {
  return issues.flatMap((issue) => {
    const path = [...at, ...issue.path]
    const inner = issue.code === 'invalid_union' ? issue.errors.flatMap((some) => pathsOf(some, path)) : []
    return [path.join('.'), ...inner]
  })
}

const fill = (path: string) => path.replace(/\{\w+\}/g, page.user.userId)

async function statusOf({ path, method, access }: Endpoint, part: 'query' | 'body', given: unknown): Promise<number> {
  const query = part === 'query' ? `?${new URLSearchParams(given as Record<string, string>)}` : ''
  const options = { method, ...(method === 'POST' && { body: part === 'body' ? given : {} }) } as const
  const caller = access === 'application' ? program : page
  return (await caller.call(fill(path) + query, options)).status
}

test('no call accepts a timestamp that the database can not store, whatever it is for', async () => {
  const endpoints = server.app.surface.endpoints
  const apiIds = endpoints.flatMap(({ apiId }) => apiId ?? [])
  program = await openClient(page, await addCasApplication(server, { appId: 'program' }), apiIds)
  const seen: string[] = []
  for (const endpoint of endpoints) {
    for (const part of ['query', 'body'] as const) {
      for (const { path, put } of spotsOf(endpoint[part])) {
        const spot = `${endpoint.method} ${endpoint.path} ${path.join('.')}`
        seen.push(spot)
        for (const moment of OUT_OF_RANGE) {
          const refused = pathsOf(endpoint[part].safeParse(put(moment)).error?.issues ?? [])
          expect([spot, moment, refused]).toEqual([spot, moment, expect.arrayContaining([path.join('.')])])
          expect([spot, moment, await statusOf(endpoint, part, put(moment))]).toEqual([spot, moment, 400])
        }
      }
    }
  }
  expect(seen.length).toBeGreaterThan(30)
})

test('a timestamp out of range is rejected with the name of its field, in words', async () => {
  const body = { memberId: page.user.userId, appIds: ['program'], validUntil: '9999-12-31T23:59:59-14:00' }
  const refusal = await page.call('/application_grant/bind/', { body, headers: { 'accept-language': 'en' } })
  expect(refusal.envelope).toMatchObject({
    code: 'request.invalid',
    data: { fields: [{ field: 'validUntil', reason: 'Only the years 1900 to 9999 are allowed.' }] },
  })
})

test.each(['2026-13-45T00:00:00.000000Z', '0000-01-01T00:00:00.000000Z'])(
  'a place %s in the history is rejected',
  async (moment) => {
    const cursor = encodeURIComponent(`${moment}_${page.user.userId}`)
    for (const path of ['/change_history/query/', `/change_history/person/${page.user.userId}/`]) {
      const { status, envelope } = await page.call(`${path}?cursor=${cursor}`)
      expect([status, envelope.code]).toEqual([400, 'request.invalid'])
    }
  },
)

test.each(['0000-01-01T00:00:00Z', '2026-13-45T00:00:00Z', '2026-01-01T00:00:00+99:00', 'someday'])(
  'the timestamp %s that slipped past a contract is a malformed request, not a server error',
  async (moment) => {
    const thrown = await server.platform.sql`select ${moment}::text::timestamptz`.catch((error: unknown) => error)
    expect(toRefusal(thrown).code).toBe('request.malformed')
  },
)
