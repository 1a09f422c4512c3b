/**
 * Auth.js for Express as in its documentation, with any OpenID Connect provider; it reads the person from the ID token
 * alone.
 */
import { ExpressAuth, getSession } from '@auth/express'
import express from 'express'
import { BASE_URL, CLIENT_ID, CLIENT_SECRET, COOKIE_SECRET, ISSUER, listen, who } from './server.mjs'
import { callbacks } from './token-rotation.mjs'

const config = {
  secret: COOKIE_SECRET,
  providers: [
    {
      id: 'gatehouse',
      name: 'Gatehouse',
      type: 'oidc',
      issuer: ISSUER,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
    },
  ],
  callbacks,
}

const app = express()
app.use('/auth', ExpressAuth(config))
app.get('/', async (req, res) => {
  const session = await getSession(req, config)
  if (!session) return res.redirect('/auth/signin')
  return res.json(who(session.user))
})
app.get('/logout', async (req, res) => {
  const { id_token } = await getSession(req, config)
  const parameters = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: `${BASE_URL}/` })
  res.redirect(`${ISSUER}/logout?${parameters}`)
})
listen(app)
