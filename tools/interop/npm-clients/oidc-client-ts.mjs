/** oidc-client-ts: a page with its UserManager, which is the whole application. */
import { fileURLToPath } from 'node:url'
import express from 'express'
import { CLIENT_ID, ISSUER, listen } from './server.mjs'

const page = `<!doctype html>
<title>oidc-client-ts</title>
<body data-authority="${ISSUER}" data-client-id="${CLIENT_ID}">
<script src="/oidc-client-ts.min.js"></script>
<script type="module" src="/page.js"></script>
</body>`

/** The script-tag build is next to the bundler build. */
const library = fileURLToPath(new URL('../browser/oidc-client-ts.min.js', import.meta.resolve('oidc-client-ts')))
const script = fileURLToPath(new URL('oidc-client-ts.page.js', import.meta.url))

const app = express()
app.get('/oidc-client-ts.min.js', (_req, res) => res.sendFile(library))
app.get('/page.js', (_req, res) => res.sendFile(script))
// The page, and its three return addresses.
app.get(['/', '/callback', '/popup', '/silent'], (_req, res) => res.type('html').send(page))
listen(app)
