import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type ReceivedMail = {
  from: string
  to: string[]
  secure: boolean
  user: string | null
  raw: string
  mail: Email
}

export type MailServer = {
  port: number
  arrived: ReceivedMail[]
  close(): Promise<void>
}

type Reply = { code: number; text: string }
type Options = {
  /** Offers STARTTLS, or with `implicit` uses TLS from the first byte. */
  tls?: { key: string; cert: string; implicit?: boolean }
  /** Requires this login. */
  login?: { user: string; password: string }
  /** The answer to a recipient or to the content; null: it is accepted. */
  refuseRecipient?: (to: string) => Reply | null
  refuseContent?: () => Reply | null
  /** Milliseconds before the content is accepted. */
  slowness?: number
}

const refusal = ({ code, text }: Reply) => Object.assign(new Error(text), { responseCode: code })

/** A real mail server on loopback that stores what it receives. */
export async function startMailServer(options: Options = {}): Promise<MailServer> {
  const arrived: ReceivedMail[] = []
  const server = new SMTPServer({
    ...accessOptions(options),
    logger: false,
    closeTimeout: 100,
    onRcptTo({ address }, _session, done) {
      const reply = options.refuseRecipient?.(address)
      done(reply ? refusal(reply) : null)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks).toString()
        const { mailFrom, rcptTo } = session.envelope
        await new Promise((wait) => setTimeout(wait, options.slowness ?? 0))
        const reply = options.refuseContent?.()
        if (reply) return done(refusal(reply))
        arrived.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: typeof session.user === 'string' ? session.user : null,
          raw,
          mail: await PostalMime.parse(raw),
        })
        return done(null, 'taken as mail 4711')
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.server.address() as AddressInfo
  return { port, arrived, close: () => new Promise((done) => server.close(() => done())) }
}

function accessOptions({ tls, login }: Options): SMTPServerOptions {
  return {
    ...(tls && { key: tls.key, cert: tls.cert, secure: tls.implicit === true }),
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
    authOptional: !login,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (username === login?.user && password === login?.password) return done(null, { user: username })
      return done(refusal({ code: 535, text: 'Invalid username or password' }))
    },
  }
}
