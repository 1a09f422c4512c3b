/**
 * NextAuth.js 4 with the custom provider of its documentation: the handler that a Next application has under /api/auth.
 */
import express from 'express'
import NextAuth from 'next-auth'
import { getServerSession } from 'next-auth/next'
import { BASE_URL, CLIENT_ID, CLIENT_SECRET, COOKIE_SECRET, ISSUER, listen, who } from './server.mjs'
import { callbacks } from './token-rotation.mjs'

process.env.NEXTAUTH_URL = BASE_URL

const options = {
  secret: COOKIE_SECRET,
  providers: [
    {
      id: 'gatehouse',
      name: 'Gatehouse',
      type: 'oauth',
      wellKnown: `${ISSUER}/.well-known/openid-configuration`,
      authorization: { params: { scope: 'openid email profile' } },
      idToken: true,
      checks: ['pkce', 'state'],
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      profile: ({ sub, name, email }) => ({ id: sub, name, email }),
    },
  ],
  callbacks,
}
const nextAuth = NextAuth.default(options)

/** What Next adds to a request for the page `[...nextauth]`. */
function asNext(req, _res, next) {
  const cookies = (req.headers.cookie ?? '').split('; ').map((pair) => pair.split(/=(.*)/s))
  req.cookies = Object.fromEntries(cookies.map(([name, value = '']) => [name, decodeURIComponent(value)]))
  const query = { ...req.query, nextauth: req.path.split('/').filter(Boolean) }
  Object.defineProperty(req, 'query', { value: query })
  next()
}

const app = express()
app.use('/api/auth', express.urlencoded(), asNext, (req, res) => nextAuth(req, res))
app.get('/', asNext, async (req, res) => {
  const session = await getServerSession(req, res, options)
  if (!session) return res.redirect('/api/auth/signin')
  return res.json(who(session.user))
})
app.get('/logout', asNext, async (req, res) => {
  const { id_token } = await getServerSession(req, res, options)
  const parameters = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: `${BASE_URL}/` })
  res.redirect(`${ISSUER}/logout?${parameters}`)
})
listen(app)
