const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
const escapeXml = (value: string) => value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

/**
 * The logout document of CAS (protocol 7.1).
 * @param id random, at most 40 characters
 * @param ticket the very ST or PT that the service was given, by which it knows the session.
 */
export function renderLogoutMessage(id: string, at: Date, ticket: string): string {
  const issued = `${at.toISOString().slice(0, 19)}Z`
  return (
    `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ` +
    `ID="LR-${id}" Version="2.0" IssueInstant="${issued}">` +
    `<saml:NameID>@NOT_USED@</saml:NameID><samlp:SessionIndex>${escapeXml(ticket)}</samlp:SessionIndex></samlp:LogoutRequest>`
  )
}
