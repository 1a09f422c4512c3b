/** openid-client 6 with DPoP-bound tokens (RFC 9449), as in its example. */
import express from 'express'
import * as client from 'openid-client-6'
import { BASE_URL, CLIENT_ID, CLIENT_SECRET, ISSUER, listen, sessions, who } from './server.mjs'

const config = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET)
const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair())

const app = express()
app.use(sessions())

app.get('/', (req, res) => (req.session.user ? res.json(req.session.user) : res.redirect('/login')))
app.get('/login', async (req, res) => {
  req.session.code_verifier = client.randomPKCECodeVerifier()
  const parameters = {
    redirect_uri: `${BASE_URL}/cb`,
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(req.session.code_verifier),
    code_challenge_method: 'S256',
    dpop_jkt: await DPoP.calculateThumbprint(),
  }
  res.redirect(client.buildAuthorizationUrl(config, parameters).href)
})
app.get('/cb', async (req, res) => {
  const checks = { pkceCodeVerifier: req.session.code_verifier, idTokenExpected: true }
  const tokens = await client.authorizationCodeGrant(config, new URL(req.originalUrl, BASE_URL), checks, undefined, {
    DPoP,
  })
  const userinfo = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub, { DPoP })
  Object.assign(req.session, { tokens, user: who(userinfo) })
  res.redirect('/')
})
app.get('/refresh', async (req, res) => {
  const before = req.session.tokens
  const tokens = await client.refreshTokenGrant(config, before.refresh_token, undefined, { DPoP })
  const { sub } = await client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck, { DPoP })
  req.session.tokens = { ...before, ...tokens }
  res.json({ refreshed: tokens.token_type === 'dpop' && tokens.access_token !== before.access_token, sub })
})
app.get('/logout', (req, res) => {
  const hint = { id_token_hint: req.session.tokens.id_token, post_logout_redirect_uri: `${BASE_URL}/` }
  req.session.destroy(() => res.redirect(client.buildEndSessionUrl(config, hint).href))
})
listen(app)
