import { EDUCATION_PLATFORMS } from './auth-edu.ts'
import { dingding } from './dingding.ts'
import { alimail } from './mailboxes/alimail.ts'
import { coremail } from './mailboxes/coremail.ts'
import { exmail } from './mailboxes/exmail.ts'
import { netease } from './mailboxes/netease.ts'
import { qq } from './qq.ts'
import { qywx } from './qywx.ts'
import type { Vendor } from './simulator.ts'
import { weChat } from './we-chat.ts'

export { EDUCATION_PLATFORMS, type EducationPlatform } from './auth-edu.ts'
export { PEOPLE } from './people.ts'
export { startSimulator } from './simulator.ts'
export type { Simulator } from './simulator.types.ts'
export { WE_CHAT_ACCOUNT } from './we-chat.ts'

/** Every vendor that can be simulated, by its login type. */
export const VENDORS = {
  qywx,
  dingding,
  weChat,
  qq,
  'auth-edu': EDUCATION_PLATFORMS.epaas,
} as const satisfies Readonly<Record<string, Vendor>>

/** Every mail provider that can be simulated, by its driver. */
export const MAIL_PROVIDERS = {
  exmail,
  coremail,
  netease,
  alimail,
} as const satisfies Readonly<Record<string, Vendor>>
