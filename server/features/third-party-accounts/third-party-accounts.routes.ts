import {
  bindThirdPartyAccount,
  completeThirdPartyAccount,
  listThirdPartyAccounts,
  queryPendingThirdPartyAccount,
  unbindThirdPartyAccount,
} from '#shared/contract/third-party-accounts.ts'
import type { Api } from '../../platform/http/mount.ts'
import {
  completeBinding,
  describePendingBinding,
  listAccounts,
  startBinding,
  unbindAccount,
} from './third-party-accounts.service.ts'

/** A person's accounts at identity providers. Logging in with them belongs to the sign-on server. */
export function mountThirdPartyAccounts(api: Api): void {
  api.mount(listThirdPartyAccounts, (ctx) => listAccounts(ctx))
  api.mount(bindThirdPartyAccount, (ctx, { query }, { request }) => startBinding(ctx, query.provider, request))
  api.mount(queryPendingThirdPartyAccount, (ctx, { body }, { request }) =>
    describePendingBinding(ctx, body.code, request),
  )
  api.mount(completeThirdPartyAccount, (ctx, { body }, { request }) => completeBinding(ctx, body.code, request))
  api.mount(unbindThirdPartyAccount, (ctx, { query }) => unbindAccount(ctx, query.provider))
}
