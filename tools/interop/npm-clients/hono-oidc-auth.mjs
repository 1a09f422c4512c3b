/**
 * @hono/oidc-auth as in its README, with the claims hook shown there; it requests every scope in the discovery
 * document.
 */
import { createServer } from 'node:https'
import { serve } from '@hono/node-server'
import {
  getAuth,
  initOidcAuthMiddleware,
  oidcAuthMiddleware,
  processOAuthCallback,
  revokeSession,
} from '@hono/oidc-auth'
import { Hono } from 'hono'
import { BASE_URL, CLIENT_ID, CLIENT_SECRET, COOKIE_SECRET, ISSUER, port, tls } from './server.mjs'

/** The README's hook, plus the mail that the default one keeps. The second call is that of a refresh. */
const claimsHook = async (before, claims) => ({
  sub: claims?.sub ?? before?.sub ?? '',
  name: claims?.name ?? before?.name ?? '',
  email: claims?.email ?? before?.email ?? '',
  refreshed: before !== undefined,
})

const app = new Hono()
app.use(
  initOidcAuthMiddleware({
    OIDC_ISSUER: ISSUER,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
    OIDC_AUTH_SECRET: COOKIE_SECRET,
    OIDC_REDIRECT_URI: `${BASE_URL}/callback`,
    // Refreshes from the second after the login, instead of after 15 minutes.
    OIDC_AUTH_REFRESH_INTERVAL: '0',
  }),
)
app.use('*', async (c, next) => {
  c.set('oidcClaimsHook', claimsHook)
  await next()
})
app.get('/logout', async (c) => {
  await revokeSession(c)
  return c.text('You have been successfully logged out!')
})
app.get('/callback', (c) => processOAuthCallback(c))
app.use('*', oidcAuthMiddleware())
app.get('/', async (c) => {
  const { sub, name, email } = await getAuth(c)
  return c.json({ sub, name, email })
})
app.get('/refresh', async (c) => {
  const { sub, refreshed } = await getAuth(c)
  return c.json({ refreshed, sub })
})
serve({ fetch: app.fetch, createServer, serverOptions: tls, port, hostname: '127.0.0.1' })
