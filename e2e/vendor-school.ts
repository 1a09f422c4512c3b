import { type Simulator, startSimulator } from '../tools/simulators/index.ts'
import { PASSWORD } from './fixtures.ts'
import { startGatehouse } from './gatehouse.ts'

type SimulatedVendor = Parameters<typeof startSimulator>[0]
export type VendorSchool = { url: string; vendor: Simulator; stop(): Promise<void> }

/** A school with people at a vendor that is not set up here yet. */
export const openSchoolBeside = (kind: SimulatedVendor) => async (): Promise<VendorSchool> => {
  const users = [
    { account: 'root', name: 'Root Admin', password: PASSWORD, isSuperUser: true },
    { account: 'lilei', name: 'Li Lei', password: PASSWORD },
  ]
  const gatehouse = await startGatehouse({
    bootstrap: { users, settings: { login: { secondFactorSuperUsers: false } } },
  })
  const vendor = await startSimulator(kind, { trustedOrigin: gatehouse.url })
  // On another site, for realistic cookies.
  vendor.url = vendor.url.replace('127.0.0.1', 'localhost')
  const stop = async () => {
    await gatehouse.stop()
    await vendor.close()
  }
  return { url: gatehouse.url, vendor, stop }
}
