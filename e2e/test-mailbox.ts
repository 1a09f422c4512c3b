import type { SmsGateway } from '#shared/contract/message-gateways.ts'
import { type ReceivedMail, startMailServer } from '../server/testing/mail-server.ts'
import { type SentSms, startSmsProvider } from '../server/testing/sms-provider.ts'

export type TestMailbox = {
  /** For `settings` of the bootstrap file: a real mail server and an SMS provider that verifies signatures. */
  settings: { mail: object; sms: SmsGateway }
  mailPort: number
  /** Waits for mail number `count` (from 1) to an address. */
  mailTo(address: string, count?: number): Promise<ReceivedMail>
  /** Waits for text message number `count` to an E.164 number. */
  smsTo(phone: string, count?: number): Promise<SentSms>
  /** The six digits of that mail. */
  codeMailedTo(address: string, count?: number): Promise<string>
  codeTextedTo(phone: string, count?: number): Promise<string>
  close(): Promise<void>
}

const PATIENCE_MS = 10_000

/** Receives the journeys' messages: SMTP and HTTP on loopback. */
export async function openTestMailbox(): Promise<TestMailbox> {
  const mail = await startMailServer({ login: { user: 'portal', password: 'Mail-secret-1' } })
  const sms = await startSmsProvider('gateway')
  const mailTo = (address: string, count = 1) =>
    nth(() => mail.arrived.filter(({ to }) => to.includes(address)), count, address)
  const smsTo = (phone: string, count = 1) => nth(() => sms.sent.filter((one) => one.phone === phone), count, phone)
  return {
    settings: {
      mail: {
        host: '127.0.0.1',
        port: mail.port,
        security: 'none',
        user: 'portal',
        password: 'Mail-secret-1',
        from: 'portal@school.test',
      },
      sms: sms.gateway,
    },
    mailPort: mail.port,
    mailTo,
    smsTo,
    codeMailedTo: async (address, count) => digitsOf((await mailTo(address, count)).mail.text ?? ''),
    codeTextedTo: async (phone, count) => digitsOf((await smsTo(phone, count)).text),
    async close() {
      sms.close()
      await mail.close()
    },
  }
}

const digitsOf = (text: string) => /(?<!\d)\d{6}(?!\d)/.exec(text)?.[0] ?? ''

async function nth<T>(find: () => T[], count: number, to: string): Promise<T> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; ) {
    const found = find()[count - 1]
    if (found) return found
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error(`message ${count} to ${to} did not arrive`)
}
