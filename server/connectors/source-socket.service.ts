import { isIP, type Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { connectOutgoing } from '../platform/outgoing-fetch.ts'
import { SourceFault, type SourceSettings } from './data-source.types.ts'

/** A connection that ends itself when the other side stays silent for too long. @throws SourceFault `unreachable`. */
export async function openSourceSocket({ host, port, timeoutSeconds }: SourceSettings): Promise<Socket> {
  try {
    const socket = await connectOutgoing(host, port)
    // What a certificate has to be for when the host is an address; on a socket that is open already TLS takes `localhost` otherwise.
    Object.assign(socket, { _host: host.replace(/^\[|\]$/g, '') })
    socket.setKeepAlive(true, 10_000)
    socket.setTimeout(timeoutSeconds * 1000, () => {
      socket.destroy(Object.assign(new Error('the other side is silent'), { code: 'ETIMEDOUT' }))
    })
    return socket
  } catch (error) {
    throw new SourceFault('unreachable', (error as Error).message)
  }
}

/** What TLS is to look at; null: no encryption. */
export function tlsOptions({ tls, ca, host }: SourceSettings): ConnectionOptions | null {
  if (tls === 'off') return null
  const bare = host.replace(/^\[|\]$/g, '')
  return {
    rejectUnauthorized: tls === 'verify',
    minVersion: 'TLSv1.2',
    ...(ca && { ca }),
    ...(isIP(bare) === 0 && { servername: bare }),
  }
}

/** Is an error one of the certificate? */
export const isTlsError = (code: string): boolean =>
  /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HANDSHAKE_SSL)/.test(code)
