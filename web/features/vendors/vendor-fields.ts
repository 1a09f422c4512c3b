import type { VendorKey } from '#shared/contract/vendors.ts'

/** Vendors with a flat set of settings. */
export type FlatVendor = Exclude<VendorKey, 'auth-edu'>

export type VendorField = { name: string; kind: 'text' | 'secret' | 'switch'; isOptional?: boolean }

const text = (name: string): VendorField => ({ name, kind: 'text' })
const secret = (name: string): VendorField => ({ name, kind: 'secret' })

/** The values from the vendor's console, in its order. */
export const VENDOR_FIELDS: Readonly<Record<FlatVendor, readonly VendorField[]>> = {
  qywx: [text('corpId'), text('agentId'), secret('secret')],
  dingding: [text('corpId'), text('clientId'), secret('clientSecret')],
  weChat: [
    text('appId'),
    secret('secret'),
    { ...text('accountAppId'), isOptional: true },
    { ...secret('accountSecret'), isOptional: true },
  ],
  qq: [text('appId'), secret('appKey'), { name: 'unionId', kind: 'switch' }],
}

/** Hosts, for a dedicated edition or a proxy; empty: the vendor's default. */
export const VENDOR_HOSTS: Readonly<Record<FlatVendor, Readonly<Record<string, string>>>> = {
  qywx: {
    apiHost: 'https://qyapi.weixin.qq.com',
    loginHost: 'https://login.work.weixin.qq.com',
    frameHost: 'https://open.work.weixin.qq.com',
    inAppHost: 'https://open.weixin.qq.com',
  },
  dingding: {
    apiHost: 'https://api.dingtalk.com',
    oldApiHost: 'https://oapi.dingtalk.com',
    loginHost: 'https://login.dingtalk.com',
  },
  weChat: { apiHost: 'https://api.weixin.qq.com', loginHost: 'https://open.weixin.qq.com' },
  qq: { apiHost: 'https://graph.qq.com' },
}

/** Vendors whose user ids are often the institution's own accounts. */
export const KNOWS_ACCOUNTS: readonly VendorKey[] = ['qywx', 'dingding', 'auth-edu']
