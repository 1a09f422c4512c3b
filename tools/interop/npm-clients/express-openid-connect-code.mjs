/** express-openid-connect as in its examples for access tokens and refresh, with back-channel logout. */
import express from 'express'
import openid from 'express-openid-connect'
import session from 'express-session'
import { BASE_URL, CLIENT_ID, CLIENT_SECRET, COOKIE_SECRET, ISSUER, listen, who } from './server.mjs'

const app = express()
app.use(
  openid.auth({
    issuerBaseURL: ISSUER,
    baseURL: BASE_URL,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    secret: COOKIE_SECRET,
    idpLogout: true,
    authorizationParams: { response_type: 'code', scope: 'openid profile email offline_access' },
    session: { store: new session.MemoryStore() },
    backchannelLogout: true,
  }),
)
app.get('/', async (req, res) => res.json(who(await req.oidc.fetchUserInfo())))
app.get('/refresh', async (req, res) => {
  const before = req.oidc.accessToken.access_token
  const { access_token } = await req.oidc.accessToken.refresh()
  res.json({ refreshed: access_token !== before, sub: req.oidc.idTokenClaims.sub })
})
listen(app)
