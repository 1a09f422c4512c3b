/** Before a token ends: calls that are under way with it must still arrive in time. */
const EARLY_MS = 5 * 60_000

export type AppToken = { token: string; expiresAt: Date }

const kept = new Map<string, Promise<AppToken>>()
/** More applications than one installation talks to. */
const MOST_KEPT = 200

/**
 * The token of an application itself, kept until five minutes before its end: providers count how often it is asked for, and some
 * end the old one when they give a new one. However many need it at the same time, it is fetched once.
 * @param isBad the token that a call has just been refused with; it is fetched anew once.
 */
export async function appToken(
  key: string,
  now: Date,
  fetchToken: () => Promise<AppToken>,
  isBad: string | null = null,
): Promise<string> {
  const known = await kept.get(key)?.catch(() => null)
  const isUsable = known && known.expiresAt.getTime() - EARLY_MS > now.getTime() && known.token !== isBad
  if (isUsable) return known.token
  // Somebody else may have begun while we looked.
  const begun = kept.get(key)
  if (begun && (await begun.catch(() => null)) !== known) return appToken(key, now, fetchToken, isBad)
  const asked = fetchToken()
  kept.delete(key)
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? key)
  kept.set(key, asked)
  return (await asked).token
}
