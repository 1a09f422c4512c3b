import { VENDOR_KEYS, type Vendor, type VendorKey } from '#shared/contract/vendors.ts'
import { VENDORS } from '../../tools/simulators/index.ts'
import type { Audited, World } from './audited-resource.ts'

const USE = { enabled: false, position: 0, unbound: 'bind', matchAccount: false }
const fieldsOf = (key: VendorKey) => ({ ...USE, settings: VENDORS[key].settings('http://127.0.0.1:9') })

/** Saves a vendor that may be set up already. @returns its version */
async function save(key: VendorKey, { root, make }: World): Promise<number> {
  const { version } = (await root.call<Vendor>(`/vendor/${key}/details/`)).data
  return (await make<Vendor>(`/vendor/${key}/update/`, { version, ...fieldsOf(key) })).version
}

/** The calls that change each vendor. */
export const AUDITED_VENDORS: Readonly<Record<string, Audited>> = Object.fromEntries(
  VENDOR_KEYS.flatMap((key): [string, Audited][] => [
    [
      `POST /vendor/${key}/update/`,
      { leaves: 'both', ask: async (world) => ({ body: { version: await save(key, world), ...fieldsOf(key) } }) },
    ],
    [
      `POST /vendor/${key}/remove_secrets/`,
      { leaves: 'both', ask: async (world) => ({ body: { version: await save(key, world) } }) },
    ],
  ]),
)
