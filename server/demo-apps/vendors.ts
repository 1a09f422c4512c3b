import { VENDOR_KEYS, type VendorKey } from '#shared/contract/vendors.ts'
import { startSimulator, VENDORS } from '../../tools/simulators/index.ts'
import type { DemoBases } from '../features/demo/index.ts'
import type { Platform } from '../platform/platform.ts'

type Vendors = { bases: DemoBases['vendors']; stop(): Promise<void> }

/** Starts a simulator for each vendor that is expected, on its port or on a free one; on loopback, whatever the portal listens on. */
export async function startVendors({ config, now }: Platform, expected: DemoBases['vendors']): Promise<Vendors> {
  const started = await Promise.all(
    VENDOR_KEYS.flatMap((key) => {
      const base = expected[key]
      return base === undefined ? [] : [start(key, base)]
    }),
  )
  const stop = async () => void (await Promise.all(started.map(({ simulator }) => simulator.close())))
  return { bases: Object.fromEntries(started.map(({ key, base }) => [key, base])), stop }

  async function start(key: VendorKey, base: string) {
    const [, home = '', wanted = ''] = /^(.*):(\d+)$/.exec(base) ?? []
    const listen = (port: number) => startSimulator(VENDORS[key], { trustedOrigin: config.publicUrl, now, port })
    const simulator = await listen(Number(wanted)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES' && error.code !== 'ERR_SOCKET_BAD_PORT') throw error
      return listen(0)
    })
    return { key, simulator, base: `${home}:${new URL(simulator.url).port}` }
  }
}
