import type { StreamRecord } from './log-sink.types.ts'

/** The number that RFC 5612 reserves for documentation: an installation has no IANA number of its own. */
const STRUCTURED_DATA_ID = 'gatehouse@32473'

/** Receivers accept 8 KiB per message; longer ones are cut here, where that can be marked. */
const MAX_MESSAGE_BYTES = 8000
const MAX_VALUE_BYTES = 512
/** For the state before and after a change. */
const MAX_SNAPSHOT_BYTES = 2400

const SEVERITY = { notice: 5, warning: 4, info: 6 } as const

/** A failure is a warning, a change a notice. */
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
  // A line break would look like the end of the record to line-based readers, and some know Unicode's.
  return cut(text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' '), most)
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

/** A readable summary; everything is in the structured data. */
function words({ log, action, account, succeeded, result, reason, ip }: StreamRecord): string {
  const outcome = { true: 'succeeded', false: 'failed' }[String(succeeded)] ?? result
  const details = [action, outcome, account, ip, reason].filter(isGiven)
  return [log, ...details.map((one) => shownValue('', one))].join(' ')
}

const BYTE_ORDER_MARK = '\ufeff'

/** A record in RFC 5424. @param sender printable ASCII: the host name of the portal */
export function syslogMessage(
  record: StreamRecord,
  { facility, sender }: { facility: number; sender: string },
): string {
  const priority = facility * 8 + severityOf(record)
  const head = `<${priority}>1 ${record.at} ${sender} gatehouse - ${record.log}`
  const message = (without: readonly string[]) =>
    `${head} ${structuredData(record, without)} ${BYTE_ORDER_MARK}${words(record)}`
  const complete = message([])
  if (Buffer.byteLength(complete) <= MAX_MESSAGE_BYTES) return complete
  return message(SNAPSHOTS.filter((name) => isGiven(record[name])))
}

/** Octet counting (RFC 6587, RFC 5425): a message may contain anything. */
export const framed = (message: string): string => `${Buffer.byteLength(message)} ${message}`
