import { createServer, type Socket } from 'node:net'

/** An entry there; binary values as bytes. */
type AdEntry = { dn: string; kind: 'person' | 'department' | 'group'; values: Record<string, (string | Buffer)[]> }

export type ActiveDirectory = {
  port: number
  /** Distinguished names and passwords that were tried, in order. */
  logins: string[]
  /** Number of the page without entries, at which the connection ends, that comes again for ever, or from which on all are empty; null: none. */
  trouble: Record<'emptyPage' | 'endsAtPage' | 'repeatedPage' | 'emptyFromPage', number | null>
  close(): Promise<void>
}

const DOMAIN = 'DC=school,DC=example'
export const AD_READER = { user: `gatehouse@school.example`, password: 'reads-only', database: DOMAIN }

/** As many entries per page, and values at once, as the real one returns. */
const MAX_PAGE = 1000
const MAX_VALUES = 1500

type Part = { tag: number; body: Buffer; next: number }

function partAt(bytes: Buffer, at: number): Part {
  const first = bytes[at + 1] ?? 0
  const extra = first < 128 ? 0 : first & 127
  const length = extra === 0 ? first : bytes.readUIntBE(at + 2, extra)
  const begin = at + 2 + extra
  return { tag: bytes[at] ?? 0, body: bytes.subarray(begin, begin + length), next: begin + length }
}

function partsOf(bytes: Buffer): Part[] {
  const parts: Part[] = []
  for (let at = 0; at < bytes.length; ) {
    const part = partAt(bytes, at)
    parts.push(part)
    at = part.next
  }
  return parts
}

function ber(tag: number, ...parts: (Buffer | string | number)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part))))
  const length = body.length < 128 ? Buffer.from([body.length]) : Buffer.from([0x84, 0, 0, 0, 0])
  if (body.length >= 128) length.writeUInt32BE(body.length, 1)
  return Buffer.concat([Buffer.from([tag]), length, body])
}

const result = (tag: number, code: number, text = '') => ber(tag, ber(0x0a, code), ber(4, ''), ber(4, text))
const message = (id: Buffer, operation: Buffer, ...controls: Buffer[]) =>
  ber(0x30, ber(2, id), operation, ...(controls.length > 0 ? [ber(0xa0, ...controls)] : []))

const NOTHING = Buffer.alloc(0)
const ROOTS = ['', DOMAIN]
const OTHER_ZONE = `ldap://DomainDnsZones.school.example/DC=DomainDnsZones,${DOMAIN}`
const PAGED = '1.2.840.113556.1.4.319'

/** The parts of Active Directory that a directory sync uses: pages of a thousand, ranges of values, bytes, referrals to other domains. */
export async function startActiveDirectory(entries: AdEntry[]): Promise<ActiveDirectory> {
  const open = new Set<Socket>()
  const directory: ActiveDirectory = {
    port: 0,
    logins: [],
    trouble: { emptyPage: null, endsAtPage: null, repeatedPage: null, emptyFromPage: null },
    close: () => new Promise((done) => server.close(() => done())),
  }
  const server = createServer((socket) => {
    open.add(socket)
    const answer = answerer(directory, socket, entries)
    let buffered = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (data: Buffer) => {
      buffered = Buffer.concat([buffered, data])
      while (buffered.length > 6 && partAt(buffered, 0).next <= buffered.length) {
        const { body, next } = partAt(buffered, 0)
        buffered = buffered.subarray(next)
        const [id, operation, controls] = partsOf(body)
        if (id && operation) answer({ id: id.body, operation: operation.body, controls: controls?.body }, operation.tag)
      }
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  directory.port = (server.address() as { port: number }).port
  const { close } = directory
  directory.close = async () => {
    for (const socket of open) socket.destroy()
    await close()
  }
  return directory
}

/** The answers of a connection, which tracks whether somebody is bound on it. */
function answerer(directory: ActiveDirectory, socket: Socket, entries: AdEntry[]) {
  let isIn = false
  const answers: Record<number, (asked: Asked) => unknown> = {
    [0x60]: ({ id, operation }) => {
      isIn = answerBind(directory, socket, id, operation)
    },
    [0x42]: () => socket.end(),
    [0x63]: (asked) =>
      isIn
        ? answerSearch(directory, socket, entries, asked)
        : socket.write(message(asked.id, result(0x65, 1, '000004DC: a successful bind must be completed'))),
    // StartTLS, which would need a certificate.
    [0x77]: ({ id }) => socket.write(message(id, result(0x78, 52, '00000000: LdapErr: Error initializing SSL/TLS'))),
  }
  return (asked: Asked, tag: number) => answers[tag]?.(asked)
}

function answerBind(directory: ActiveDirectory, socket: Socket, id: Buffer, operation: Buffer): boolean {
  const [, name, password] = partsOf(operation)
  const given = { user: String(name?.body), password: String(password?.body) }
  directory.logins.push(`${given.user} ${given.password}`)
  const isRight = given.user === AD_READER.user && given.password === AD_READER.password
  socket.write(message(id, result(0x61, isRight ? 0 : 49, isRight ? '' : '80090308: LdapErr: data 52e')))
  return isRight
}

type Asked = { id: Buffer; operation: Buffer; controls: Buffer | undefined }

function answerSearch(
  directory: ActiveDirectory,
  socket: Socket,
  entries: AdEntry[],
  { id, operation, controls }: Asked,
) {
  const [base, scope, , , , namesOnly, filter, wanted] = partsOf(operation).map(({ body }) => body)
  const attributes = partsOf(wanted ?? NOTHING).map(({ body }) => String(body))
  const send = (entry: AdEntry) => socket.write(message(id, entryOf(entry, attributes, namesOnly?.[0] !== 0)))
  if (scope?.[0] === 0) {
    const found = entriesAt(entries, String(base))
    for (const entry of found) send(entry)
    return socket.write(message(id, result(0x65, found.length === 0 ? 32 : 0)))
  }
  if (!ROOTS.includes(String(base))) return socket.write(message(id, result(0x65, 32, '0000208D: NameErr')))
  const found = entries.filter((entry) => matches(entry, filter ?? NOTHING))
  const { page, from, size } = cookieOf(controls)
  if (directory.trouble.endsAtPage === page) return socket.destroy()
  const to = isEmptyPage(directory, page) ? from : from + Math.min(size, MAX_PAGE)
  for (const entry of found.slice(from, to)) send(entry)
  const next = nextCookie(directory, { page, from, to, of: found.length })
  if (next === '') socket.write(message(id, ber(0x73, ber(4, OTHER_ZONE))))
  const control = ber(0x30, ber(4, PAGED), ber(4, ber(0x30, ber(2, 0), ber(4, next))))
  return socket.write(message(id, result(0x65, 0), control))
}

const isEmptyPage = ({ trouble: { emptyPage, emptyFromPage } }: ActiveDirectory, page: number) =>
  emptyPage === page || (emptyFromPage !== null && page >= emptyFromPage)

type Range = { page: number; from: number; to: number; of: number }

function nextCookie({ trouble }: ActiveDirectory, { page, from, to, of }: Range): string {
  if (trouble.repeatedPage === page) return `${page} ${from}`
  return to < of ? `${page + 1} ${to}` : ''
}

/** The requested page; without paging it returns a thousand, as a first page. */
function cookieOf(controls: Buffer | undefined): { page: number; from: number; size: number } {
  const value = partsOf(controls ?? NOTHING).find(({ body }) => body.includes(PAGED))
  const [size, cookie] = partsOf(partsOf(partsOf(value?.body ?? NOTHING).at(-1)?.body ?? NOTHING)[0]?.body ?? NOTHING)
  const [page = 0, from = 0] = String(cookie?.body ?? '')
    .split(' ')
    .map(Number)
  return { page, from, size: size?.body.readUIntBE(0, size.body.length) ?? MAX_PAGE }
}

const entriesAt = (entries: AdEntry[], dn: string): AdEntry[] =>
  dn === '' || dn === DOMAIN
    ? [{ dn, kind: 'group', values: dn === '' ? { dnsHostName: ['dc1.school.example'] } : {} }]
    : entries.filter((entry) => entry.dn === dn)

/** Interprets the filters of a directory sync: by SID, else by kind. */
function matches(entry: AdEntry, filter: Buffer): boolean {
  const sid = filter.indexOf('objectSid')
  if (sid >= 0) return entry.values['objectSid']?.some((value) => filter.includes(value)) ?? false
  const kind = filter.includes('organizationalUnit') ? 'department' : filter.includes('group') ? 'group' : 'person'
  return entry.kind === kind
}

function entryOf({ dn, values }: AdEntry, wanted: string[], namesOnly: boolean): Buffer {
  const asked = wanted.includes('*') ? Object.keys(values) : wanted
  const attributes = asked.map((one) => attributeOf(values, one)).filter(({ part }) => part.length > 0)
  const written = attributes.map(({ shown, part }) =>
    ber(0x30, ber(4, shown), ber(0x31, ...(namesOnly ? [] : part.map((value) => ber(4, value))))),
  )
  return ber(0x64, ber(4, dn), ber(0x30, ...written))
}

/** The values returned at once, and the attribute name with their range. */
function attributeOf(values: AdEntry['values'], asked: string) {
  const [name = '', range = ''] = asked.split(';range=')
  const key = Object.keys(values).find((one) => one.toLowerCase() === name.toLowerCase()) ?? ''
  const all = values[key] ?? []
  const from = Number.parseInt(range, 10) || 0
  const part = all.slice(from, from + MAX_VALUES)
  const end = from + part.length
  const isWhole = end >= all.length
  return { part, shown: range === '' && isWhole ? name : `${name};range=${from}-${isWhole ? '*' : end - 1}` }
}

/** A SID of the test's domain that ends in a number. */
export function sid(number: number): Buffer {
  const bytes = Buffer.from('010500000000000515000000010000000200000003000000ffffffff', 'hex')
  bytes.writeUInt32LE(number, 24)
  return bytes
}
