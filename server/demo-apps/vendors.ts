import { MAIL_PROVIDERS, startSimulator, VENDORS } from '../../tools/simulators/index.ts'
import type { DemoBases } from '../features/demo/index.ts'
import type { Platform } from '../platform/platform.ts'

type Expected = Pick<DemoBases, 'vendors' | 'mailboxes'>
type Vendors = Expected & { stop(): Promise<void> }
type Vendor = Parameters<typeof startSimulator>[0]

/**
 * Starts a simulator for each expected vendor and mail provider, on its port or on a free one; on loopback, whatever the portal listens on.
 */
export async function startVendors({ config, now }: Platform, expected: Expected): Promise<Vendors> {
  const [vendors, mailboxes] = await Promise.all([
    startAll(VENDORS, expected.vendors),
    startAll(MAIL_PROVIDERS, expected.mailboxes),
  ])
  const stop = async () =>
    void (await Promise.all([...vendors, ...mailboxes].map(({ simulator }) => simulator.close())))
  return { vendors: basesOf(vendors), mailboxes: basesOf(mailboxes), stop }

  function startAll(all: Readonly<Record<string, Vendor>>, bases: Readonly<Record<string, string>>) {
    return Promise.all(
      Object.entries(all).flatMap(([key, vendor]) => {
        const base = bases[key]
        return base === undefined ? [] : [start(key, vendor, base)]
      }),
    )
  }

  async function start(key: string, vendor: Vendor, base: string) {
    const [, home = '', wanted = ''] = /^(.*):(\d+)$/.exec(base) ?? []
    const listen = (port: number) => startSimulator(vendor, { trustedOrigin: config.publicUrl, now, port })
    const simulator = await listen(Number(wanted)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES' && error.code !== 'ERR_SOCKET_BAD_PORT') throw error
      return listen(0)
    })
    return { key, simulator, base: `${home}:${new URL(simulator.url).port}` }
  }
}

const basesOf = (started: readonly { key: string; base: string }[]): Record<string, string> =>
  Object.fromEntries(started.map(({ key, base }) => [key, base]))
