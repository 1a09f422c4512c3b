import type { BootstrapInput } from '../bootstrap/index.ts'
import type { DemoBases } from './demo-applications.rules.ts'

/** An invented identity provider of the demo school. Whoever can reach a demo is on this machine. */
export const TOWN_ID = {
  key: 'town-id',
  clientId: 'demo-university',
  clientSecret: 'nothing-secret-in-a-demo',
  names: { zh_CN: '小镇教育云', zh_TW: '小鎮教育雲', en: 'Town Education ID' },
} as const

/** People with an account there. */
export const TOWN_PEOPLE = [
  { id: 'T-1001', name: '李雷' },
  { id: 'T-1002', name: '韩梅梅' },
  { id: 'T-1003', name: 'Robin Town' },
] as const

type Providers = NonNullable<BootstrapInput['thirdPartyProviders']>

export function demoProviders({ learning }: DemoBases): Providers {
  const { key, names, clientId, clientSecret } = TOWN_ID
  const base = `${learning}/${key}`
  return [
    {
      key,
      connector: 'oauth2',
      name: names.zh_CN,
      names: { zh_TW: names.zh_TW, en: names.en },
      unbound: 'bind',
      settings: {
        clientId,
        clientSecret,
        authorizeUrl: `${base}/authorize`,
        tokenUrl: `${base}/token`,
        userUrl: `${base}/user`,
        token: { auth: 'body' },
        user: { token: 'query' },
        claims: { subject: '/id' },
      },
    },
  ]
}
