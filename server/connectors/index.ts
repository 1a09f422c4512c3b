import type { Platform } from '../platform/platform.ts'
import {
  type OpenBook,
  openCoremailBook,
  openDingdingBook,
  openDingdingSource,
  openExmailBook,
  openQywxBook,
  openQywxSource,
} from './address-books/index.ts'
import type { Connector, ConnectorContext } from './connector.types.ts'
import { openFile } from './csv-file/index.ts'
import type { OpenSource, SourceSettings, Wait } from './data-source.types.ts'
import { dingding } from './dingding/index.ts'
import { openLdap } from './ldap/index.ts'
import { createHttpsSender } from './log-sinks/https.service.ts'
import type { SendBatch } from './log-sinks/log-sink.types.ts'
import { sendBySyslog } from './log-sinks/syslog.service.ts'
import { openMysql } from './mysql/index.ts'
import { oauth2 } from './oauth2/index.ts'
import { openOracle } from './oracle/index.ts'
import { openPostgresql } from './postgresql/index.ts'
import { qq } from './qq/index.ts'
import { qywx } from './qywx/index.ts'
import { openRest } from './rest/index.ts'
import { openScim } from './scim/index.ts'
import { openSftp } from './sftp/index.ts'
import { openSqlserver } from './sqlserver/index.ts'
import { weChat } from './we-chat/index.ts'

export {
  type AuthorizationAttempt,
  type Connection,
  type Connector,
  ConnectorFault,
  type ConnectorFaultReason,
  type ThirdPartyIdentity,
  UnclearAnswer,
} from './connector.types.ts'
export { collectRows, within } from './counted-rows.service.ts'
export { FILE_TABLE } from './csv-file/index.ts'
export { type OpenSource, SourceFault, type Wait } from './data-source.types.ts'
export { LogSinkFault, type SendBatch, type StreamRecord } from './log-sinks/log-sink.types.ts'

/** Every kind of system that records can be sent to. */
export const logSenders = (
  platform: Pick<Platform, 'fetch' | 'now'>,
): Readonly<Record<'syslog' | 'https', SendBatch>> => ({
  syslog: sendBySyslog,
  https: createHttpsSender(platform),
})
export { isFilter } from './ldap/ldap-filter.service.ts'
export { openMailboxes } from './mailboxes/index.ts'
export { isHostKey, isPattern, isPrivateKey, splitPath } from './sftp/index.ts'
export {
  decryptEvent,
  dingdingEvent,
  type EventSecrets,
  encryptEvent,
  encryptedOf,
  isSignedBy,
  parseObject,
  qywxEvent,
  signEvent,
  type VendorEvent,
} from './vendor-events/index.ts'

/** Every kind of source that people can be read from. A file is given as its bytes. @throws SourceFault; Refusal `sheet.*` for a file. */
export const SOURCE_CONNECTORS = {
  postgresql: ({ settings }: SourcePlace) => openPostgresql(settings),
  mysql: ({ settings }: SourcePlace) => openMysql(settings),
  sqlserver: ({ settings }: SourcePlace) => openSqlserver(settings),
  oracle: ({ settings }: SourcePlace) => openOracle(settings),
  ldap: ({ settings }: SourcePlace) => openLdap(settings, 'ldap'),
  ad: ({ settings }: SourcePlace) => openLdap(settings, 'ad'),
  rest: ({ settings, context, wait }: SourcePlace) => openRest(settings, context.fetch, wait),
  scim: ({ settings, context, wait }: SourcePlace) => openScim(settings, context.fetch, wait),
  wecom: ({ settings, context, wait }: SourcePlace) => openQywxSource(settings, context, wait),
  dingtalk: ({ settings, context, wait }: SourcePlace) => openDingdingSource(settings, context, wait),
  'csv-sftp': ({ settings }: SourcePlace) => openSftp(settings),
  'csv-upload': async ({ file }: Pick<SourcePlace, 'file'>) => await openFile(await file()),
} as const satisfies Record<string, (from: SourcePlace) => Promise<OpenSource>>

type SourcePlace = {
  settings: SourceSettings
  file: () => Promise<Buffer>
  context: ConnectorContext
  wait: Wait | undefined
}

/** Every vendor with a writable address book, and every mail provider whose mailboxes can be created. */
export const ADDRESS_BOOKS = {
  qywx: openQywxBook,
  dingding: openDingdingBook,
  exmail: openExmailBook,
  coremail: openCoremailBook,
} as const satisfies Record<string, OpenBook>
export type {
  BookDepartment,
  BookPerson,
  BookPersonFields,
  OpenAddressBook,
} from './address-books/index.ts'

/** Every kind of provider, by its name in the configuration. */
const CONNECTORS: Readonly<Record<string, Connector>> = { oauth2, qywx, dingding, weChat, qq }

export const connectorNames = Object.keys(CONNECTORS)

export const findConnector = (name: string): Connector | null =>
  Object.hasOwn(CONNECTORS, name) ? (CONNECTORS[name] ?? null) : null
