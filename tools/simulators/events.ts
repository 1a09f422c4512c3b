import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** What an administrator entered there, and whose events they are. */
export type Subscription = { url: string; token: string; aesKey: string; receiver: string }

/** How a vendor tells of changes. Written from its manual alone, so that a mistake on the other side is not repeated here. */
export type EventSender = {
  /** Tries the address, as saving it there does. @returns whether it answered as demanded. */
  echo(): Promise<boolean>
  /** @returns the status; 0 when the answer was none that the vendor takes. `change`: what is sent instead of the right thing. */
  send(message: string, change?: Partial<Sent>): Promise<number>
}
type Sent = { timestamp: string; nonce: string; signature: string; encrypted: string }

const BLOCK = 32
const HEAD = 16

function seal({ aesKey, receiver }: Subscription, message: string): string {
  const key = Buffer.from(`${aesKey}=`, 'base64')
  const size = Buffer.alloc(4)
  size.writeInt32BE(Buffer.byteLength(message))
  const plain = Buffer.concat([randomBytes(HEAD), size, Buffer.from(message + receiver)])
  const missing = BLOCK - (plain.byteLength % BLOCK)
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, HEAD)).setAutoPadding(false)
  const padded = Buffer.concat([plain, Buffer.alloc(missing, missing)])
  return `${cipher.update(padded, undefined, 'base64')}${cipher.final('base64')}`
}

function open({ aesKey }: Subscription, encrypted: string): string {
  const key = Buffer.from(`${aesKey}=`, 'base64')
  const decipher = createDecipheriv('aes-256-cbc', key, key.subarray(0, HEAD)).setAutoPadding(false)
  const plain = Buffer.concat([decipher.update(encrypted, 'base64'), decipher.final()])
  return plain.subarray(HEAD + 4, HEAD + 4 + plain.readInt32BE(HEAD)).toString()
}

const signatureOf = (token: string, ...parts: string[]): string =>
  createHash('sha1')
    .update([token, ...parts].sort().join(''))
    .digest('hex')

function sign(to: Subscription, message: string, timestamp: string, change: Partial<Sent>): Sent {
  const unsigned = { timestamp, nonce: randomBytes(5).toString('hex'), encrypted: seal(to, message), ...change }
  const signature = signatureOf(to.token, unsigned.timestamp, unsigned.nonce, unsigned.encrypted)
  return { signature, ...unsigned }
}

/** WeCom wants the text of the echo within a second, and an event taken within five; it says seconds. */
export function qywxEvents(to: Subscription, now: () => Date): EventSender {
  const seconds = () => String(Math.floor(now().getTime() / 1000))
  return {
    async echo() {
      const text = String(randomBytes(6).readUIntBE(0, 6))
      const { timestamp, nonce, signature, encrypted } = sign(to, text, seconds(), {})
      const query = new URLSearchParams({ msg_signature: signature, timestamp, nonce, echostr: encrypted })
      const answer = await fetch(`${to.url}?${query}`)
      return answer.ok && (await answer.text()) === text
    },
    async send(message, change = {}) {
      const { timestamp, nonce, signature, encrypted } = sign(to, message, seconds(), change)
      const query = new URLSearchParams({ msg_signature: signature, timestamp, nonce })
      const body = `<xml><ToUserName><![CDATA[${to.receiver}]]></ToUserName><AgentID>0</AgentID><Encrypt><![CDATA[${encrypted}]]></Encrypt></xml>`
      const headers = { 'content-type': 'text/xml' }
      return (await fetch(`${to.url}?${query}`, { method: 'POST', headers, body })).status
    },
  }
}

/** DingTalk wants `success`, encrypted and signed; it says milliseconds, and the signature twice. */
export function dingdingEvents(to: Subscription, now: () => Date): EventSender {
  async function send(message: string, change: Partial<Sent> = {}): Promise<number> {
    const { timestamp, nonce, signature, encrypted } = sign(to, message, String(now().getTime()), change)
    const query = new URLSearchParams({ signature, msg_signature: signature, timestamp, nonce })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${to.url}?${query}`, {
      ...{ method: 'POST', headers },
      body: JSON.stringify({ encrypt: encrypted }),
    })
    if (!answer.ok) return answer.status
    const { msg_signature, timeStamp, nonce: theirs, encrypt } = (await answer.json()) as Record<string, string>
    const isRight = msg_signature === signatureOf(to.token, timeStamp ?? '', theirs ?? '', encrypt ?? '')
    return isRight && open(to, encrypt ?? '') === 'success' ? answer.status : 0
  }
  return { send, echo: async () => (await send('{"EventType":"check_url"}')) === 200 }
}
