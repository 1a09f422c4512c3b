import { readTestedLogin } from '#shared/contract/tested-logins.ts'
import { VENDOR_CALLS, VENDOR_KEYS } from '#shared/contract/vendors.ts'
import type { Api } from '../../platform/http/mount.ts'
import { readTestedLogin as findTestedLogin } from '../third-party-accounts/index.ts'
import { checkVendor, testVendorLogin } from './vendor-check.service.ts'
import { changeVendor, describeVendor, removeVendorSecrets } from './vendors.service.ts'

export function mountVendors(api: Api): void {
  api.mount(readTestedLogin, (ctx, { body }) => findTestedLogin(ctx, body.code))
  for (const key of VENDOR_KEYS) {
    const { details, update, removeSecrets, check, testLogin } = VENDOR_CALLS[key]
    api.mount(details, (ctx) => describeVendor(ctx, key))
    api.mount(update, (ctx, { body }) => changeVendor(ctx, key, body))
    api.mount(removeSecrets, (ctx, { body }) => removeVendorSecrets(ctx, key, body.version))
    api.mount(testLogin, (ctx, { body }, exchange) => testVendorLogin(ctx, exchange, { key, ...body }))
    api.mount(check, (ctx, { body }) => checkVendor(ctx, key, body.settings))
  }
}
