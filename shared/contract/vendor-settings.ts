import { z } from 'zod'
import { vendorId as id, vendorSecret as secret, vendorHost } from './vendor-setting-fields.ts'

/** Differs from the vendor's default for a dedicated edition, a proxy or a simulator. */
const host = (standard: string) => vendorHost.default(standard)

/** For frames with a QR code; the full-window page has its own. */
export const QywxFrameHost = host('https://open.work.weixin.qq.com')
export const DingdingLoginHost = host('https://login.dingtalk.com')
export const WeChatLoginHost = host('https://open.weixin.qq.com')
export const QqApiHost = host('https://graph.qq.com')

/** WeCom, as an internal app. */
export const QywxSettings = z.strictObject({
  corpId: id,
  agentId: z
    .string()
    .trim()
    .regex(/^\d{1,20}$/),
  secret,
  apiHost: host('https://qyapi.weixin.qq.com'),
  loginHost: host('https://login.work.weixin.qq.com'),
  frameHost: QywxFrameHost,
  /** The redirect target inside WeCom's browser. */
  inAppHost: host('https://open.weixin.qq.com'),
})
export type QywxSettings = z.infer<typeof QywxSettings>

/** DingTalk, as an internal app of one organisation. */
export const DingdingSettings = z.strictObject({
  corpId: id,
  clientId: id,
  clientSecret: secret,
  apiHost: host('https://api.dingtalk.com'),
  oldApiHost: host('https://oapi.dingtalk.com'),
  loginHost: DingdingLoginHost,
})
export type DingdingSettings = z.infer<typeof DingdingSettings>

const optional = <Value extends z.ZodType<string>>(value: Value) => z.union([z.literal(''), value]).default('')

/** WeChat: a website application of the open platform, and an official account for people inside WeChat. */
export const WeChatSettings = z
  .strictObject({
    appId: id,
    secret,
    /** Both or none. */
    accountAppId: optional(id),
    accountSecret: optional(secret),
    apiHost: host('https://api.weixin.qq.com'),
    loginHost: WeChatLoginHost,
  })
  .refine(({ accountAppId, accountSecret }) => (accountAppId === '') === (accountSecret === ''), {
    path: ['accountSecret'],
    params: { reason: 'together' },
  })
export type WeChatSettings = z.infer<typeof WeChatSettings>

/** QQ Connect. */
export const QqSettings = z.strictObject({
  appId: id,
  appKey: secret,
  /** The application has the permission to read the UnionID. */
  unionId: z.boolean().default(false),
  apiHost: QqApiHost,
})
export type QqSettings = z.infer<typeof QqSettings>
