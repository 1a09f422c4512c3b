/** passport-openidconnect as in its README; it reads the person from the ID token alone. */
import express from 'express'
import passport from 'passport'
import OpenIDConnectStrategy from 'passport-openidconnect'
import { BASE_URL, CLIENT_ID, CLIENT_SECRET, ISSUER, listen, sessions } from './server.mjs'

passport.use(
  new OpenIDConnectStrategy(
    {
      issuer: ISSUER,
      authorizationURL: `${ISSUER}/authorize`,
      tokenURL: `${ISSUER}/token`,
      userInfoURL: `${ISSUER}/userinfo`,
      clientID: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      callbackURL: `${BASE_URL}/cb`,
      scope: ['profile', 'email'],
    },
    function verify(_issuer, profile, _context, idToken, done) {
      return done(null, { sub: profile.id, name: profile.displayName, email: profile.emails?.[0]?.value, idToken })
    },
  ),
)
passport.serializeUser((user, done) => done(null, user))
passport.deserializeUser((user, done) => done(null, user))

const app = express()
app.use(sessions())
app.use(passport.authenticate('session'))

app.get('/', (req, res) => {
  if (!req.user) return res.redirect('/login')
  const { idToken: _, ...person } = req.user
  return res.json(person)
})
app.get('/login', passport.authenticate('openidconnect'))
app.get('/cb', passport.authenticate('openidconnect', { failWithError: true }), (_req, res) => res.redirect('/'))
app.get('/logout', (req, res, next) => {
  const hint = new URLSearchParams({ id_token_hint: req.user.idToken, post_logout_redirect_uri: `${BASE_URL}/` })
  req.logout((error) => (error ? next(error) : res.redirect(`${ISSUER}/logout?${hint}`)))
})
listen(app)
