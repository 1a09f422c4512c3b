import type { Connector } from './connector.ts'
import { oauth2 } from './oauth2/index.ts'

export {
  type Connection,
  type Connector,
  ConnectorFault,
  type FaultReason,
  type ThirdPartyIdentity,
} from './connector.ts'

/** Every kind of provider, by the name that a configuration gives. */
const CONNECTORS: Readonly<Record<string, Connector>> = { oauth2 }

export const connectorNames = Object.keys(CONNECTORS)

export const connectorCalled = (name: string): Connector | null =>
  Object.hasOwn(CONNECTORS, name) ? (CONNECTORS[name] ?? null) : null
