import { institutionDetails, querySystemAddresses, updateInstitution } from '#shared/contract/system-settings.ts'
import type { Api } from '../../platform/http/mount.ts'
import { changeInstitution, describeInstitution } from './institution.service.ts'

export function mountSystemSettings(api: Api): void {
  api.mount(institutionDetails, (ctx) => describeInstitution(ctx))
  api.mount(updateInstitution, (ctx, { body }) => changeInstitution(ctx, body))
  api.mount(querySystemAddresses, async (ctx, _input, { request }) => ({
    publicUrl: ctx.config.publicUrl,
    protocol: request.protocol,
    ip: ctx.client.ip,
    trustedProxies: ctx.config.trustedProxies,
  }))
}
