import { isIP, type Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { networkProblem } from '../platform/network-problem.ts'
import { connectOutgoing } from '../platform/outgoing-fetch.ts'
import { SourceFault, type SourceSettings } from './data-source.types.ts'

/** A connection that closes itself if the other side stays silent too long. @throws SourceFault `unreachable`, `forbidden-address`. */
export async function openSourceSocket({ host, port, timeoutSeconds }: SourceSettings): Promise<Socket> {
  try {
    const socket = await connectOutgoing(host, port)
    // The expected name in the certificate if the host is an address; on an open socket TLS would use `localhost`.
    Object.assign(socket, { _host: host.replace(/^\[|\]$/g, '') })
    socket.setKeepAlive(true, 10_000)
    socket.setTimeout(timeoutSeconds * 1000, () => {
      socket.destroy(Object.assign(new Error('the other side is silent'), { code: 'ETIMEDOUT' }))
    })
    return socket
  } catch (error) {
    if (networkProblem(error) === 'forbidden-address') throw new SourceFault('forbidden-address')
    throw new SourceFault('unreachable', (error as Error).message)
  }
}

/** The TLS options of a source; null: no encryption. */
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

/** Is this a certificate error? */
export const isTlsError = (code: string): boolean =>
  /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HANDSHAKE_SSL)/.test(code)
