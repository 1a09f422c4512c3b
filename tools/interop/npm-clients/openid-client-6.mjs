/** openid-client 6: the quick start of its README, with refresh, userinfo and RP-initiated logout. */
import express from 'express'
import * as client from 'openid-client-6'
import { BASE_URL, CLIENT_ID, CLIENT_SECRET, ISSUER, listen, sessions, who } from './server.mjs'

const config = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET)
const redirect_uri = `${BASE_URL}/cb`

const app = express()
app.use(sessions())

app.get('/', (req, res) => (req.session.user ? res.json(req.session.user) : res.redirect('/login')))
app.get('/login', async (req, res) => {
  const code_verifier = client.randomPKCECodeVerifier()
  const code_challenge = await client.calculatePKCECodeChallenge(code_verifier)
  const parameters = { redirect_uri, scope: 'openid email profile', code_challenge, code_challenge_method: 'S256' }
  if (!config.serverMetadata().supportsPKCE()) parameters.state = client.randomState()
  if (req.query.prompt) parameters.prompt = req.query.prompt
  Object.assign(req.session, { code_verifier, state: parameters.state })
  res.redirect(client.buildAuthorizationUrl(config, parameters).href)
})
app.get('/cb', async (req, res) => {
  const { code_verifier, state } = req.session
  const checks = { pkceCodeVerifier: code_verifier, expectedState: state, idTokenExpected: true }
  const tokens = await client.authorizationCodeGrant(config, new URL(req.originalUrl, BASE_URL), checks)
  const userinfo = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
  Object.assign(req.session, { tokens, user: who(userinfo) })
  res.redirect('/')
})
/** `?times=2` sends the same refresh token twice at once, as two workers of an application would. */
app.get('/refresh', async (req, res) => {
  const before = req.session.tokens
  const times = Number(req.query.times ?? 1)
  const answers = await Promise.all(
    Array.from({ length: times }, () => client.refreshTokenGrant(config, before.refresh_token)),
  )
  const tokens = answers.at(-1)
  req.session.tokens = { ...before, ...tokens }
  res.json({ refreshed: tokens.access_token !== before.access_token, sub: tokens.claims().sub })
})
/** `?to=` names another return address. */
app.get('/logout', (req, res) => {
  const { id_token } = req.session.tokens
  const post_logout_redirect_uri = BASE_URL + (req.query.to ?? '/')
  const url = client.buildEndSessionUrl(config, { id_token_hint: id_token, post_logout_redirect_uri })
  req.session.destroy(() => res.redirect(url.href))
})
/** Discovery by OAuth 2.0 (RFC 8414) instead of OpenID Connect's. */
app.get('/oauth2', async (_req, res) => {
  const found = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, { algorithm: 'oauth2' })
  res.json({ token_endpoint: found.serverMetadata().token_endpoint })
})
listen(app)
