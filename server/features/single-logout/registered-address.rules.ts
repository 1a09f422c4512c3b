import { coversAddress, parseWebAddress } from '#shared/rules/redirect-target.ts'
import type { Application } from '../applications/index.ts'

/** Only an address that the application's registration names is ever called: what a session remembers may be older than it. */
export function isRegisteredAddress(application: Application | null, address: string): boolean {
  const url = parseWebAddress(address)
  if (!application || !url) return false
  if (application.logoutUrl === address || application.client?.backchannelLogoutUri === address) return true
  return application.serviceUrls.some((registered) => coversAddress(registered, url))
}
