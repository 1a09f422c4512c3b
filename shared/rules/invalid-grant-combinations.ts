type Client = { grantTypes: readonly string[]; hasSecret: boolean; redirectUris: readonly string[] }

/** Each has the message `application-rule.<name>`. */
type InvalidGrant = {
  field: 'grantTypes' | 'redirectUris'
  reason: 'password-needs-secret' | 'implicit-needs-https'
}

/** Combinations of an OAuth 2.0 client that can't work, or would hand passwords to anybody. */
export function invalidGrantCombinations({ grantTypes, hasSecret, redirectUris }: Client): InvalidGrant[] {
  const isFit = (uri: string) => uri.startsWith('https:') && new URL(uri).hostname !== 'localhost'
  const found: InvalidGrant[] = []
  if (grantTypes.includes('password') && !hasSecret)
    found.push({ field: 'grantTypes', reason: 'password-needs-secret' })
  if (grantTypes.includes('implicit') && !redirectUris.every(isFit)) {
    found.push({ field: 'redirectUris', reason: 'implicit-needs-https' })
  }
  return found
}
