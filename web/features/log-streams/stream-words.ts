import type { TFunction } from 'i18next'
import type { LogStream, SYSLOG_FACILITIES } from '#shared/contract/log-streams.ts'
import type { ConflictWords } from '../../ui/ConflictNotice.tsx'

const COMPARED = ['name', 'kind', 'logs', 'enabled', 'host', 'port', 'tls', 'facility', 'url', 'note'] as const

/** As syslog configurations name them: not translated. */
const FACILITY_NAMES: Readonly<Record<(typeof SYSLOG_FACILITIES)[number], string>> = {
  4: 'auth',
  10: 'authpriv',
  13: 'audit',
  16: 'local0',
  17: 'local1',
  18: 'local2',
  19: 'local3',
  20: 'local4',
  21: 'local5',
  22: 'local6',
  23: 'local7',
}

/** The name of a facility with its number. */
export const facilityName = (value: number): string =>
  `${value} ${FACILITY_NAMES[value as (typeof SYSLOG_FACILITIES)[number]]}`

/** Labels and values of a stream, for what somebody else changed. @param loaded as it was before */
export function streamWords(t: TFunction, loaded: LogStream | null): ConflictWords<LogStream> {
  const show = (field: keyof LogStream, value: unknown): string => {
    const stream = { [field]: value } as unknown as LogStream
    const words: { [Field in keyof LogStream]?: () => string } = {
      kind: () => t(`log-stream.kind.${stream.kind}`),
      logs: () => stream.logs.map((log) => t(`record-retention.kind.${log}`)).join(t('list.separator')),
      enabled: () => t(stream.enabled ? 'records.yes' : 'records.no'),
      // 0: the usual one.
      port: () => (stream.port ? String(stream.port) : ''),
      tls: () => t(`data-source.tls.${stream.tls}`),
      // Too long to be compared by eye.
      ca: () => stream.ca && t(stream.ca === loaded?.ca ? 'data-source.ca-own' : 'log-stream.ca-changed'),
      facility: () => facilityName(stream.facility),
    }
    return (words[field]?.() ?? String(value)) || '—'
  }
  const labels = Object.fromEntries(COMPARED.map((name) => [name, t(`log-stream.${name}`)]))
  return { labels: { ...labels, ca: t('data-source.ca') }, show }
}
