import type { Connector } from './connector.types.ts'
import { openFile } from './csv-file/index.ts'
import type { OpenSource, SourceSettings } from './data-source.types.ts'
import { dingding } from './dingding/index.ts'
import { openMysql } from './mysql/index.ts'
import { oauth2 } from './oauth2/index.ts'
import { openPostgresql } from './postgresql/index.ts'
import { qq } from './qq/index.ts'
import { qywx } from './qywx/index.ts'
import { weChat } from './we-chat/index.ts'

export {
  type Connection,
  type Connector,
  ConnectorFault,
  type ConnectorFaultReason,
  type ThirdPartyIdentity,
} from './connector.types.ts'

export { FILE_TABLE } from './csv-file/index.ts'
export { type OpenSource, SourceFault } from './data-source.types.ts'

/** Every kind of source that people are read from. A file comes as its bytes. @throws SourceFault; Refusal `sheet.*` of a file. */
export const SOURCE_CONNECTORS = {
  postgresql: ({ settings }: SourcePlace) => openPostgresql(settings),
  mysql: ({ settings }: SourcePlace) => openMysql(settings),
  'csv-upload': async ({ file }: Pick<SourcePlace, 'file'>) => await openFile(await file()),
} as const satisfies Record<string, (from: SourcePlace) => Promise<OpenSource>>

type SourcePlace = { settings: SourceSettings; file: () => Promise<Buffer> }

/** Every kind of provider, by the name that a configuration gives. */
const CONNECTORS: Readonly<Record<string, Connector>> = { oauth2, qywx, dingding, weChat, qq }

export const connectorNames = Object.keys(CONNECTORS)

export const findConnector = (name: string): Connector | null =>
  Object.hasOwn(CONNECTORS, name) ? (CONNECTORS[name] ?? null) : null
