import * as calls from '#shared/contract/second-factors.ts'
import type { Api } from '../../platform/http/mount.ts'
import {
  createBrowserChallenge,
  createRegistrationOptions,
  registerNewPasskey,
  removePasskey,
  renamePasskey,
} from './passkeys.service.ts'
import {
  confirmTotp,
  getSecondFactors,
  removeTotp,
  removeTrustedBrowsers,
  renewRecoveryCodes,
  startTotp,
} from './second-factors.service.ts'

export function mountSecondFactors(api: Api): void {
  api.mount(calls.querySecondFactors, (ctx, _input, { request }) => getSecondFactors(ctx, request))
  api.mount(calls.startTotp, (ctx) => startTotp(ctx))
  api.mount(calls.confirmTotp, (ctx, { body }) => confirmTotp(ctx, body.code))
  api.mount(calls.removeTotp, (ctx) => removeTotp(ctx))
  api.mount(calls.renewRecoveryCodes, (ctx) => renewRecoveryCodes(ctx))
  api.mount(calls.removeTrustedBrowsers, (ctx, { body }) => removeTrustedBrowsers(ctx, body.ids))
  api.mount(calls.passkeyChallenge, (ctx, { query }, exchange) => createBrowserChallenge(ctx, exchange, query.purpose))
  api.mount(calls.passkeyOptions, (ctx, _input, exchange) => createRegistrationOptions(ctx, exchange))
  api.mount(calls.registerPasskey, (ctx, { body }, exchange) => registerNewPasskey(ctx, exchange, body))
  api.mount(calls.renamePasskey, (ctx, { body }) => renamePasskey(ctx, body))
  api.mount(calls.removePasskey, (ctx, { body }) => removePasskey(ctx, body.id))
}
