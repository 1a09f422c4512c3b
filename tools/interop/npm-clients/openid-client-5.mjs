/** openid-client 5: the quick start of its README, with refresh, userinfo and RP-initiated logout. */
import express from 'express'
import { generators, Issuer } from 'openid-client-5'
import { BASE_URL, CLIENT_ID, CLIENT_SECRET, ISSUER, listen, sessions, who } from './server.mjs'

const issuer = await Issuer.discover(ISSUER)
const client = new issuer.Client({
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  redirect_uris: [`${BASE_URL}/cb`],
  response_types: ['code'],
})

const app = express()
app.use(sessions())

app.get('/', (req, res) => (req.session.user ? res.json(req.session.user) : res.redirect('/login')))
app.get('/login', (req, res) => {
  req.session.code_verifier = generators.codeVerifier()
  const code_challenge = generators.codeChallenge(req.session.code_verifier)
  res.redirect(
    client.authorizationUrl({
      redirect_uri: `${BASE_URL}/cb`,
      scope: 'openid email profile',
      code_challenge,
      code_challenge_method: 'S256',
    }),
  )
})
app.get('/cb', async (req, res) => {
  const { code_verifier } = req.session
  const tokens = await client.callback(`${BASE_URL}/cb`, client.callbackParams(req), { code_verifier })
  req.session.tokens = tokens
  req.session.user = who(await client.userinfo(tokens))
  res.redirect('/')
})
app.get('/refresh', async (req, res) => {
  const before = req.session.tokens
  const tokens = await client.refresh(before.refresh_token)
  req.session.tokens = { ...tokens, id_token: tokens.id_token ?? before.id_token }
  res.json({ refreshed: tokens.access_token !== before.access_token, sub: tokens.claims().sub })
})
app.get('/logout', (req, res) => {
  const { id_token } = req.session.tokens
  req.session.destroy(() =>
    res.redirect(client.endSessionUrl({ id_token_hint: id_token, post_logout_redirect_uri: `${BASE_URL}/` })),
  )
})
listen(app)
