import type { Envelope } from '#shared/contract/endpoint.ts'
import type { Portal } from './portal.ts'
import type { TestServer } from './server.ts'
import { type SignedOptions, signedFetch } from './signed.ts'

/** An application with an app key, like an institution's own program. */
export type OpenClient = {
  applicationId: string
  appId: string
  appKey: string
  call<T = unknown>(path: string, options?: SignedOptions): Promise<OpenReply<T>>
}

export type OpenReply<T> = { status: number; headers: Headers; code: string | undefined; data: T }

/** A signed call as `appId` with `appKey`. */
export async function callWithKey<T = unknown>(
  server: TestServer,
  { appId, appKey }: { appId: string; appKey: string },
  path: string,
  options: SignedOptions = {},
): Promise<OpenReply<T>> {
  const headers = { appid: appId, ...options.headers }
  const answer = await signedFetch(server, path, { appKey, ...options, headers })
  const { code, data } = (await answer.json()) as Envelope<T>
  return { status: answer.status, headers: answer.headers, code, data }
}

/** Gives the application a key and these interfaces, as a super user does with `admin`. */
export async function openClient(admin: Portal, applicationId: string, apiIds: string[]): Promise<OpenClient> {
  const made = await admin.call<{ appKey: string }>(`/application_key/${applicationId}/create/`, { body: {} })
  const { data } = await admin.call<{ appId: string }>(`/application_key/${applicationId}/query/`)
  if (apiIds.length > 0) await admin.call(`/application_interface/${applicationId}/grant/`, { body: { apiIds } })
  const client = { applicationId, appId: data.appId, appKey: made.data.appKey }
  return { ...client, call: (path, options) => callWithKey(admin.server, client, path, options) }
}
