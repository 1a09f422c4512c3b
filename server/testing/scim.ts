import type { ScimClient } from '#shared/contract/scim-clients.ts'
import { openPortal, type Portal } from './portal.ts'
import { school } from './school.ts'
import { startTestServer } from './server.ts'

/** A SCIM answer; `body` is null if there is none. */
export type ScimReply = { status: number; headers: Headers; body: ScimBody }

// biome-ignore lint/suspicious/noExplicitAny: what a test looks at may be anything
export type ScimBody = any

export type ScimSession = {
  client: ScimClient
  token: string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ScimReply>
}

/** A SCIM client with a token, created by the super user. */
export async function openScim(root: Portal, fields: object = {}): Promise<ScimSession> {
  const all = ['users.write', 'organizations.write', 'roles.write']
  const made = await root.call<ScimClient>('/scim_client/create/', { body: { name: 'HR', scopes: all, ...fields } })
  if (made.status !== 200) throw new Error(JSON.stringify(made.envelope))
  const { data } = await root.call<{ token: string; client: ScimClient }>(`/scim_client/${made.data.id}/token/`, {
    body: {},
  })
  const { token, client } = data
  return { client, token, call: (...request) => callScim(root.server.url, token, ...request) }
}

/** A school with a super user and a client that may do everything. */
export async function openScimSchool() {
  const server = await startTestServer()
  const root = await openPortal(server, { isSuperUser: true, account: 'root' })
  return { server, root, ids: await school(server), hr: await openScim(root) }
}

/** A request as a SCIM client makes it. */
export async function callScim(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ScimReply> {
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(`${url}/scim/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/scim+json' }),
      ...headers,
    },
    ...(body !== undefined && { body: sent }),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) }
}

/** A PATCH with these operations. */
export const patchOf = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
})

export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** The search for users who match a filter. */
export const usersWhere = (filter: string) => `/Users?filter=${encodeURIComponent(filter)}`

/** A person as Entra ID provisions them. */
export const byEntra = (userName: string, more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE],
  externalId: `entra-${userName}`,
  userName,
  active: true,
  displayName: `Name of ${userName}`,
  emails: [{ primary: true, type: 'work', value: `${userName}@example.edu` }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Given Family', familyName: 'Family', givenName: 'Given' },
  title: 'Lecturer',
  [ENTERPRISE]: { department: 'Computing' },
  ...more,
})
