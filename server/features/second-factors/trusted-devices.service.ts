import type { FastifyReply, FastifyRequest } from 'fastify'
import { v7 } from 'uuid'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { loadClientDetails } from '../records/index.ts'
import { setTrustCookie, trustCookieOf } from '../sessions/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { deleteExpiredTrustedDevices, saveTrustedDevice } from './trusted-devices.store.ts'

const DAY_SECONDS = 24 * 3600

/** The stored hash of this browser's trust secret; null if it has none. */
export function trustTokenHash(ctx: Context, request: FastifyRequest): Buffer | null {
  const secret = trustCookieOf(ctx.config, request)
  return secret === null ? null : sha256(secret)
}

/** Trusts this browser instead of the person's second factor for some days. Several people may trust one browser. */
export async function trustBrowser(
  ctx: Context,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  userId: string,
): Promise<void> {
  const { trustedBrowserDays } = await signInPolicy(ctx)
  if (trustedBrowserDays === 0) return
  const secret = trustCookieOf(ctx.config, request) ?? randomToken(32)
  const at = ctx.now()
  const { browser, device, ip } = await loadClientDetails(ctx)
  await saveTrustedDevice(ctx.db, userId, {
    id: v7(),
    secretHash: sha256(secret),
    browser,
    device,
    ip,
    createdAt: at,
    expiresAt: new Date(at.getTime() + trustedBrowserDays * DAY_SECONDS * 1000),
  })
  setTrustCookie(ctx.config, reply, secret, trustedBrowserDays * DAY_SECONDS)
}

/** Run by the schedule. */
export const purgeTrustedDevices = (platform: Platform): Promise<void> =>
  deleteExpiredTrustedDevices(platform.sql, platform.now())
