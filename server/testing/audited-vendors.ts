import { VENDOR_KEYS } from '#shared/contract/vendors.ts'
import { VENDORS } from '../../tools/simulators/index.ts'
import type { Audited } from './audited-resource.ts'

const USE = { version: 0, enabled: false, position: 0, unbound: 'bind', matchAccount: false }

/** The call that saves each vendor. */
export const AUDITED_VENDORS: Readonly<Record<string, Audited>> = Object.fromEntries(
  VENDOR_KEYS.map((key) => [
    `POST /vendor/${key}/update/`,
    { leaves: 'after', ask: () => ({ body: { ...USE, settings: VENDORS[key].settings('http://127.0.0.1:9') } }) },
  ]),
)
