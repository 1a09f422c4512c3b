import { isIP, type Socket } from 'node:net'
import { connectOutgoing } from '../outgoing.ts'
import type { Outcome } from '../sending.ts'
import { whyNotSent } from './smtp-refusal.ts'

export type MailServer = {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
  /** Empty: no login. */
  user: string
  password: string
}

export type Mail = {
  /** The same at every attempt: the receiving side can tell a repetition by it. */
  id: string
  from: { name: string; address: string }
  to: string
  subject: string
  text: string
  html: string
  language: string
}

const PAUSE_MS = 10_000
/** For all of it: a server that answers a letter at a time must not hold a place for ever. */
const DEADLINE_MS = 30_000

/** Hands one mail to a mail server; encryption, when demanded, before anything is said, and with a certificate that is checked. */
export async function sendMail(server: MailServer, mail: Mail): Promise<Outcome> {
  let socket: Socket | null = null
  let late = false
  const deadline = setTimeout(() => {
    late = true
    socket?.destroy()
  }, DEADLINE_MS)
  try {
    const { createTransport } = await import('nodemailer')
    const connection = await connectOutgoing(server.host, server.port)
    socket = connection
    const transport = createTransport({
      ...smtpOptions(server),
      getSocket: (_o, done) => done(null, { connection }),
    })
    const { response } = await transport.sendMail(contentOf(mail))
    return { sent: true, gatewayId: response.slice(0, 200) }
  } catch (error) {
    return whyNotSent(error, late)
  } finally {
    clearTimeout(deadline)
    socket?.destroy()
  }
}

const smtpOptions = ({ host, port, security, user, password }: MailServer) => ({
  host,
  port,
  secure: security === 'tls',
  requireTLS: security === 'starttls',
  ignoreTLS: security === 'none',
  // A certificate is checked against the name that was configured; for a bare address, against that address.
  tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' as const, ...(isIP(host) === 0 && { servername: host }) },
  ...(user !== '' && { auth: { user, pass: password } }),
  greetingTimeout: PAUSE_MS,
  socketTimeout: PAUSE_MS,
  connectionTimeout: PAUSE_MS,
})

const contentOf = ({ id, from, to, subject, text, html, language }: Mail) => ({
  messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
  from,
  to: { name: '', address: to },
  subject,
  text,
  html,
  // Asks out-of-office programs and mailing lists not to answer.
  headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', 'Content-Language': language },
  disableFileAccess: true,
  disableUrlAccess: true,
})
