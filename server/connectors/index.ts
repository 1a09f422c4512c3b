import type { Connector } from './connector.types.ts'
import { oauth2 } from './oauth2/index.ts'

export {
  type Connection,
  type Connector,
  ConnectorFault,
  type ConnectorFaultReason,
  type ThirdPartyIdentity,
} from './connector.types.ts'

/** Every kind of provider, by the name that a configuration gives. */
const CONNECTORS: Readonly<Record<string, Connector>> = { oauth2 }

export const connectorNames = Object.keys(CONNECTORS)

export const findConnector = (name: string): Connector | null =>
  Object.hasOwn(CONNECTORS, name) ? (CONNECTORS[name] ?? null) : null
