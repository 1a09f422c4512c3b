import { deflateSync } from 'node:zlib'
import { randomToken } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { findApplicationById } from '../applications/index.ts'
import { claimFrontChannelDeliveries } from './deliveries.store.ts'
import { renderLogoutMessage } from './logout-message.render.ts'
import { isRegisteredAddress } from './registered-address.rules.ts'

/** With more than this, no page loads within its five seconds. */
const MAX_FRAMES = 50

/**
 * The URLs by which this browser tells applications of an ended session, each returned once (protocol 7.2). The caller shows them in a page
 * of the browser that had the session.
 */
export async function takeFrontChannelLogouts(ctx: Context, ssoSessionId: string): Promise<string[]> {
  const now = ctx.now()
  const urls: string[] = []
  for (const delivery of await claimFrontChannelDeliveries(ctx.db, ssoSessionId, now, MAX_FRAMES)) {
    const application = await findApplicationById(ctx, delivery.applicationId)
    if (!isRegisteredAddress(application, delivery.url)) continue
    urls.push(frontChannelUrl(delivery.url, renderLogoutMessage(randomToken(32), now, delivery.ticket), now))
  }
  return urls
}

/** zlib-wrapped DEFLATE, which is what a Java `Inflater` expects, then Base64. */
function frontChannelUrl(url: string, message: string, now: Date): string {
  const value = encodeURIComponent(deflateSync(Buffer.from(message)).toString('base64'))
  const joint = url.includes('?') ? '&' : '?'
  return `${url}${joint}callback=gatehouseLogout&logoutRequest=${value}&_=${now.getTime()}`
}
