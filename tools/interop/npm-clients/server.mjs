import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import session from 'express-session'

/** A client's settings: its own address, the issuer's, and its registration. */
export const { ISSUER, BASE_URL, CLIENT_ID, CLIENT_SECRET, COOKIE_SECRET } = process.env

export const tls = { cert: readFileSync(process.env.TLS_CERT), key: readFileSync(process.env.TLS_KEY) }
export const port = Number(new URL(BASE_URL).port)

export const listen = (app) => createServer(tls, app).listen(port, '127.0.0.1')

/** Sessions of an application, as in express-session's README. */
export const sessions = () =>
  session({ secret: COOKIE_SECRET, resave: false, saveUninitialized: true, cookie: { secure: true } })

/** The person's data that every application here shows. */
export const who = ({ sub, name, email }) => ({ sub, name, email })
