import { issueScimToken, releaseScimClient, revokeScimToken, scimClients } from '#shared/contract/scim-clients.ts'
import type { Api } from '../../platform/http/mount.ts'
import { clientsService, describeClient, pageClients, release } from './scim-clients.service.ts'
import { issueToken, revokeToken } from './scim-tokens.service.ts'

export function mountScimClients(api: Api): void {
  api.mount(scimClients.list, (ctx, { query }) => pageClients(ctx, query))
  api.mount(scimClients.details, async (ctx, { query }) => describeClient(ctx, await clientsService.get(ctx, query.id)))
  api.mount(scimClients.create, async (ctx, { body }) => describeClient(ctx, await clientsService.create(ctx, body)))
  api.mount(scimClients.update, async (ctx, { query, body }) =>
    describeClient(ctx, await clientsService.update(ctx, query.id, body)),
  )
  api.mount(scimClients.remove, (ctx, { query, body }) => clientsService.remove(ctx, query.id, body.version))
  api.mount(issueScimToken, (ctx, { query, body }) => issueToken(ctx, query.id, body))
  api.mount(revokeScimToken, (ctx, { query, body }) => revokeToken(ctx, query.id, body.tokenId))
  api.mount(releaseScimClient, (ctx, { query, body }) => release(ctx, query.id, body.reason))
}
