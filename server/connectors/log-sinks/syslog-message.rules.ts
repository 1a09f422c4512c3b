import type { StreamRecord } from './log-sink.types.ts'

/** The number that RFC 5612 reserves for documentation: an installation of one's own has none at IANA. */
const STRUCTURED_DATA_ID = 'gatehouse@32473'

/** Receivers take 8 KiB of a message; what is longer is cut here, where it can be said. */
const MAX_MESSAGE_BYTES = 8000
const MAX_VALUE_BYTES = 512
/** Of what a change looked like before and after. */
const MAX_SNAPSHOT_BYTES = 2400

const SEVERITY = { notice: 5, warning: 4, info: 6 } as const

/** What was refused is a warning, what somebody changed a notice. */
function severityOf({ log, succeeded, result }: StreamRecord): number {
  if (log === 'audit') return SEVERITY.notice
  return succeeded === false || result === 'refused' ? SEVERITY.warning : SEVERITY.info
}

/** Whole characters only. */
function cut(text: string, most: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= most) return text
  let end = most
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}

const SNAPSHOTS = ['before', 'after', 'rules'] as const

function shownValue(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const most = (SNAPSHOTS as readonly string[]).includes(name) ? MAX_SNAPSHOT_BYTES : MAX_VALUE_BYTES
  // A line break would look like the end of the record wherever lines are what is read.
  return cut(text.toWellFormed().replace(/\p{Cc}/gu, ' '), most)
}

const parameter = (name: string, value: string): string => ` ${name}="${value.replace(/["\\\]]/g, '\\$&')}"`

function structuredData(record: StreamRecord, without: readonly string[]): string {
  const given = Object.entries(record).filter(
    ([name, value]) => name !== 'at' && value !== null && !without.includes(name),
  )
  const all = given.map(([name, value]) => parameter(name, shownValue(name, value)))
  if (without.length > 0) all.push(parameter('truncated', without.join(',')))
  return `[${STRUCTURED_DATA_ID}${all.join('')}]`
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** What a person reads at a glance; everything is in the structured data. */
function words({ log, action, account, succeeded, result, reason, ip }: StreamRecord): string {
  const outcome = { true: 'succeeded', false: 'failed' }[String(succeeded)] ?? result
  const told = [action, outcome, account, ip, reason].filter(isGiven)
  return [log, ...told.map((one) => shownValue('', one))].join(' ')
}

const BYTE_ORDER_MARK = '\ufeff'

/** A record in RFC 5424. @param sender printable ASCII: the host that people know the portal by. */
export function syslogMessage(
  record: StreamRecord,
  { facility, sender }: { facility: number; sender: string },
): string {
  const priority = facility * 8 + severityOf(record)
  const head = `<${priority}>1 ${record.at} ${sender} gatehouse - ${record.log}`
  const message = (without: readonly string[]) =>
    `${head} ${structuredData(record, without)} ${BYTE_ORDER_MARK}${words(record)}`
  const whole = message([])
  if (Buffer.byteLength(whole) <= MAX_MESSAGE_BYTES) return whole
  return message(SNAPSHOTS.filter((name) => isGiven(record[name])))
}

/** Octet counting (RFC 6587, RFC 5425): a message may hold anything. */
export const framed = (message: string): string => `${Buffer.byteLength(message)} ${message}`
