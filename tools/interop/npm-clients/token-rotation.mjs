import { CLIENT_ID, CLIENT_SECRET, ISSUER } from './server.mjs'

const { token_endpoint } = await (await fetch(`${ISSUER}/.well-known/openid-configuration`)).json()

/** The callbacks of Auth.js's guide to refresh token rotation. The first access token counts as expired immediately. */
export const callbacks = {
  async jwt({ token, account, profile }) {
    if (account) {
      const { id_token, access_token, refresh_token } = account
      return { ...token, sub: profile.sub, id_token, access_token, refresh_token, expires_at: 0 }
    }
    if (Date.now() < token.expires_at * 1000) return token
    const response = await fetch(token_endpoint, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        grant_type: 'refresh_token',
        refresh_token: token.refresh_token,
      }),
    })
    const tokens = await response.json()
    if (!response.ok) throw tokens
    return {
      ...token,
      access_token: tokens.access_token,
      expires_at: Math.floor(Date.now() / 1000 + tokens.expires_in),
      refresh_token: tokens.refresh_token ?? token.refresh_token,
      refreshed: tokens.access_token !== token.access_token,
    }
  },
  session({ session, token }) {
    const { sub, refreshed, id_token } = token
    return { ...session, user: { ...session.user, sub }, refreshed: refreshed ?? false, id_token }
  },
}
