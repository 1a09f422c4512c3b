import { VENDOR_CALLS, VENDOR_KEYS } from '#shared/contract/vendors.ts'
import type { Api } from '../../platform/http/mount.ts'
import { checkVendor } from './vendor-check.service.ts'
import { changeVendor, describeVendor } from './vendors.service.ts'

export function mountVendors(api: Api): void {
  for (const key of VENDOR_KEYS) {
    const { details, update, check } = VENDOR_CALLS[key]
    api.mount(details, (ctx) => describeVendor(ctx, key))
    api.mount(update, (ctx, { body }) => changeVendor(ctx, key, body))
    api.mount(check, (ctx, { body }) => checkVendor(ctx, key, body.settings))
  }
}
