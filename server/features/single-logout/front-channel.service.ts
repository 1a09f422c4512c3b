import { deflateSync } from 'node:zlib'
import { randomToken } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { findApplicationById } from '../applications/index.ts'
import { takeFrontDeliveries } from './deliveries.store.ts'
import { logoutMessage } from './logout-message.ts'
import { isRegistered } from './registered-address.ts'

/** More than that no page loads within its five seconds. */
const MOST_FRAMES = 50

/**
 * The addresses by which this browser tells applications of an ended session, each given out once (protocol 7.2). The caller
 * shows them in a page of the browser that had the session.
 */
export async function takeFrontChannelLogouts(ctx: Context, ssoSessionId: string): Promise<string[]> {
  const now = ctx.now()
  const urls: string[] = []
  for (const delivery of await takeFrontDeliveries(ctx.db, ssoSessionId, now, MOST_FRAMES)) {
    const application = await findApplicationById(ctx, delivery.applicationId)
    if (!isRegistered(application, delivery.url)) continue
    urls.push(frontChannelAddress(delivery.url, logoutMessage(randomToken(32), now, delivery.ticket), now))
  }
  return urls
}

/** zlib-wrapped DEFLATE, which is what a Java `Inflater` expects, then Base64. */
function frontChannelAddress(url: string, message: string, now: Date): string {
  const value = encodeURIComponent(deflateSync(Buffer.from(message)).toString('base64'))
  const joint = url.includes('?') ? '&' : '?'
  return `${url}${joint}callback=gatehouseLogout&logoutRequest=${value}&_=${now.getTime()}`
}
