/** express-openid-connect as in its README: an ID token by the implicit flow, sent in a form. */
import express from 'express'
import openid from 'express-openid-connect'
import { BASE_URL, CLIENT_ID, COOKIE_SECRET, ISSUER, listen, who } from './server.mjs'

const app = express()
app.use(
  openid.auth({
    issuerBaseURL: ISSUER,
    baseURL: BASE_URL,
    clientID: CLIENT_ID,
    secret: COOKIE_SECRET,
    idpLogout: true,
  }),
)
app.get('/', (req, res) => res.json(who(req.oidc.user)))
listen(app)
