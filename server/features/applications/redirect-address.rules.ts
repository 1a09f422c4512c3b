import type { Application } from './registry.store.ts'

/** IP literals only (RFC 8252, 8.3): `localhost` is resolved by the device's own name service. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/

const withoutPort = (uri: string): string | null => (LOOPBACK.test(uri) ? uri.replace(LOOPBACK, '$1') : null)

/**
 * May codes be sent to this address? Registered ones, exactly as written; for a native application without a secret, a registered loopback
 * address with any port, because it learns its port when it starts (RFC 8252, 7.3).
 */
export function isRegisteredRedirect(
  client: { redirectUris: readonly string[]; secretHash: string | null },
  uri: string,
): boolean {
  if (client.redirectUris.includes(uri)) return true
  const portless = client.secretHash === null && URL.canParse(uri) ? withoutPort(uri) : null
  return portless !== null && client.redirectUris.some((one) => withoutPort(one) === portless)
}

/** Where forms of our pages may redirect to, as sources of a content security policy. */
export function clientOrigins(application: Pick<Application, 'client'> | null): string[] {
  const { redirectUris = [], secretHash = null } = application?.client ?? {}
  return redirectUris.flatMap((uri) => {
    if (!URL.canParse(uri)) return []
    if (secretHash !== null || !LOOPBACK.test(uri)) return [new URL(uri).origin]
    // A content security policy can't name an IPv6 address, so the scheme alone must do.
    return uri.startsWith('http://[') ? ['http:'] : ['http://127.0.0.1:*']
  })
}
