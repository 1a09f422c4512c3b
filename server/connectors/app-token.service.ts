/** Before a token ends: calls that are under way with it must still arrive in time. */
const EXPIRY_MARGIN_MS = 5 * 60_000

export type AppToken = { token: string; expiresAt: Date }

const cachedTokens = new Map<string, Promise<AppToken>>()
/** More applications than one installation talks to. */
const MAX_CACHED_TOKENS = 200

/**
 * The token of an application itself, kept until five minutes before its end: providers count how often it is asked for, and some
 * end the old one when they give a new one. However many need it at the same time, it is fetched once.
 * @param isBad the token that a call has just been refused with; it is fetched anew once.
 */
export async function getAppToken(
  key: string,
  now: Date,
  fetchToken: () => Promise<AppToken>,
  rejected: string | null = null,
): Promise<string> {
  const known = await cachedTokens.get(key)?.catch(() => null)
  const isUsable = known && known.expiresAt.getTime() - EXPIRY_MARGIN_MS > now.getTime() && known.token !== rejected
  if (isUsable) return known.token
  // Somebody else may have begun while we looked.
  const pending = cachedTokens.get(key)
  if (pending && (await pending.catch(() => null)) !== known) return getAppToken(key, now, fetchToken, rejected)
  const fetched = fetchToken()
  cachedTokens.delete(key)
  if (cachedTokens.size >= MAX_CACHED_TOKENS) cachedTokens.delete(cachedTokens.keys().next().value ?? key)
  cachedTokens.set(key, fetched)
  return (await fetched).token
}
