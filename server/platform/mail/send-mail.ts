import { isIP, type Socket } from 'node:net'
import type { Transporter } from 'nodemailer'
import type SMTPTransport from 'nodemailer/lib/smtp-transport'
import type { DeliveryOutcome } from '../message-delivery.ts'
import { connectOutgoing } from '../outgoing-fetch.ts'
import { toDeliveryFailure } from './smtp-errors.ts'

export type MailServer = {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
  /** Empty: no login. */
  user: string
  password: string
}

export type Mail = {
  /** The same for every attempt: the receiving side can recognise a repetition by it. */
  id: string
  from: { name: string; address: string }
  to: string
  subject: string
  text: string
  html: string
  language: string
}

const SOCKET_TIMEOUT_MS = 10_000
/** For everything: a server that answers one character at a time must not occupy a slot forever. */
const DEADLINE_MS = 30_000

/** Connects, encrypts and logs in as for a mail, but sends none. */
export const checkMailServer = (server: MailServer): Promise<DeliveryOutcome> =>
  withTransport(server, async (transport) => {
    await transport.verify()
    return null
  })

/** Hands one mail to a mail server; encryption, if required, comes before everything else, with a verified certificate. */
export const sendMail = (server: MailServer, mail: Mail): Promise<DeliveryOutcome> =>
  withTransport(server, async (transport) => (await transport.sendMail(toMailContent(mail))).response.slice(0, 200))

type SmtpTransport = Transporter<SMTPTransport.SentMessageInfo>

/** @param use resolves to the server's reply */
async function withTransport(
  server: MailServer,
  use: (transport: SmtpTransport) => Promise<string | null>,
): Promise<DeliveryOutcome> {
  let socket: Socket | null = null
  let timedOut = false
  const deadline = setTimeout(() => {
    timedOut = true
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
    return { sent: true, gatewayId: await use(transport) }
  } catch (error) {
    return toDeliveryFailure(error, timedOut)
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
  // A certificate is checked against the configured name; for an IP address, against that address.
  tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' as const, ...(isIP(host) === 0 && { servername: host }) },
  ...(user !== '' && { auth: { user, pass: password } }),
  greetingTimeout: SOCKET_TIMEOUT_MS,
  socketTimeout: SOCKET_TIMEOUT_MS,
  connectionTimeout: SOCKET_TIMEOUT_MS,
})

const toMailContent = ({ id, from, to, subject, text, html, language }: Mail) => ({
  messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
  from,
  to: { name: '', address: to },
  subject,
  text,
  html,
  // Tells auto-responders and mailing lists not to answer.
  headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', 'Content-Language': language },
  disableFileAccess: true,
  disableUrlAccess: true,
})
