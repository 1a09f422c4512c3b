import { VENDOR_KEYS } from '#shared/contract/vendors.ts'
import { VENDORS, WE_CHAT_ACCOUNT } from '../../../tools/simulators/index.ts'
import type { BootstrapInput } from '../bootstrap/index.ts'
import type { DemoBases } from './demo-applications.rules.ts'

const NAMES = {
  qywx: { zh_CN: '企业微信', zh_TW: '企業微信', en: 'WeCom' },
  dingding: { zh_CN: '钉钉', zh_TW: '釘釘', en: 'DingTalk' },
  weChat: { zh_CN: '微信', zh_TW: '微信', en: 'WeChat' },
  qq: { zh_CN: 'QQ', zh_TW: 'QQ', en: 'QQ' },
  'auth-edu': { zh_CN: '教育数字基座', zh_TW: '教育數位基座', en: 'Education platform' },
} as const

type Providers = NonNullable<BootstrapInput['thirdPartyProviders']>

/** The simulated vendors as login methods. Those that know accounts log their people in at once, the others ask them to link first. */
export const demoVendors = ({ vendors }: DemoBases): Providers =>
  VENDOR_KEYS.flatMap((key) => {
    const url = vendors[key]
    if (url === undefined) return []
    const { zh_CN: name, ...names } = NAMES[key]
    const knowsAccounts = key === 'qywx' || key === 'dingding'
    return [
      {
        key,
        connector: key === 'auth-edu' ? 'oauth2' : key,
        name,
        names,
        unbound: 'bind',
        // Without an official account nobody is logged in silently inside WeChat.
        settings: { ...VENDORS[key].settings(url), ...(key === 'weChat' && WE_CHAT_ACCOUNT) },
        ...(knowsAccounts && { matchBy: ['account'] }),
      },
    ]
  })
