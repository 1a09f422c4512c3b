import { coversAddress, parseWebAddress } from '#shared/rules/redirect-target.ts'
import type { Application } from '../applications/index.ts'

/** Only a registered address is ever called: one stored with a session may be older than the registration. */
export function isRegisteredAddress(application: Application | null, address: string): boolean {
  const url = parseWebAddress(address)
  if (!application || !url) return false
  if (application.logoutUrl === address || application.client?.backchannelLogoutUri === address) return true
  return application.serviceUrls.some((registered) => coversAddress(registered, url))
}
