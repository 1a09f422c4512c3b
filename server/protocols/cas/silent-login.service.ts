import { findSilentProvider } from '../../features/third-party-providers/index.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { type LoginParameters, preservedParameters } from './parameters.rules.ts'

/** Set once a browser has been redirected silently: whoever fails there, or has logged out, gets the login page. */
const TRIED_COOKIE = 'gatehouse_silent'
const TRIED_SECONDS = 600

/**
 * Where a vendor's own browser is redirected instead of the login page, because its user is logged in there; null: to the login page. Never
 * if a new login is required: this one would prove nothing.
 */
export async function findSilentLogin(
  ctx: Context,
  { request, reply }: Exchange,
  parameters: LoginParameters,
): Promise<string | null> {
  if (parameters.renew || request.cookies[TRIED_COOKIE]) return null
  const provider = await findSilentProvider(ctx, ctx.client.userAgent)
  if (!provider) return null
  const { publicUrl } = ctx.config
  const secure = publicUrl.startsWith('https:')
  const options = { path: '/fwk_cas_service/', httpOnly: true, sameSite: 'lax', secure } as const
  reply.setCookie(TRIED_COOKIE, '1', { ...options, maxAge: TRIED_SECONDS })
  const { service } = parameters
  const query = new URLSearchParams({ ...preservedParameters(parameters), ...(service !== null && { service }) })
  return `${publicUrl}/auth_service/third_party/${provider.key}/login/?${query}`
}
