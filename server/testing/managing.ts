import type { ApplicationDetails, ManagedApplication } from '#shared/contract/application-manage.ts'
import type { Portal } from './portal.ts'

export type Created = { id: string; secret: string | null }
type Fields = { fields: { field: string; reason: string }[] }
type Outcome = { changed: number; refused: { code: string }[] }

/** A CAS application that everybody may use, as the back office sends it. */
export const casFields = (appId: string, more: object = {}) => ({
  appId,
  name: `Name of ${appId}`,
  protocol: 'cas',
  type: 'whitelist',
  serviceUrls: [`https://${appId}.test/**`],
  ...more,
})

/** The same, with OpenID Connect. */
export const clientFields = (appId: string, more: object = {}) => ({
  appId,
  name: `Name of ${appId}`,
  protocol: 'oauth2',
  type: 'whitelist',
  redirectUris: [`https://${appId}.test/callback`],
  scopes: ['openid', 'profile', 'email'],
  ...more,
})

/** The calls of the pages that manage applications, made by a super user. */
export function managing(admin: Portal) {
  const post = <T>(path: string, body: object = {}) => admin.call<T>(path, { body })
  return {
    post,
    async create(body: object): Promise<Created> {
      const reply = await post<Created>('/application_manage/create/', body)
      if (reply.status !== 200) throw new Error(JSON.stringify(reply.envelope))
      return reply.data
    },
    read: async (id: string) => (await admin.call<ApplicationDetails>(`/application_manage/${id}/details/`)).data,
    update: (id: string, version: number, changes: object) =>
      post<ApplicationDetails & Fields>(`/application_manage/${id}/update/`, { version, changes }),
    enable: (ids: string[], enabled: boolean) =>
      post<Outcome>('/application_manage/set_enabled/', { selection: { ids }, enabled }),
    async list(query: string) {
      const reply = await admin.call<{ records: ManagedApplication[]; total: number }>(
        `/application_manage/query/?${query}`,
      )
      return reply.data
    },
  }
}
