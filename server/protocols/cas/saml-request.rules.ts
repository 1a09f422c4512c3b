import { SaxesParser } from 'saxes'

const PROTOCOL = 'urn:oasis:names:tc:SAML:1.0:protocol'
const MAX_DEPTH = 32

export type SamlRequest = { ticket: string; requestId: string }

/**
 * Reads the artifact (the ticket) from a SOAP envelope (protocol section 9).
 * @returns null for anything but well-formed UTF-8 XML with one artifact: a document type declaration, a custom entity or another encoding
 *   is rejected before parsing.
 */
export function parseSamlRequest(body: Buffer): SamlRequest | null {
  const xml = decodeUtf8(body)
  if (xml === null) return null
  try {
    return parseEnvelope(xml)
  } catch {
    return null
  }
}

function decodeUtf8(body: Buffer): string | null {
  try {
    const xml = new TextDecoder('utf-8', { fatal: true }).decode(body)
    const declared = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([^"']*)["']/i.exec(xml)?.[1]
    return declared === undefined || /^utf-?8$/i.test(declared) ? xml : null
  } catch {
    return null
  }
}

/** @throws Error for XML that is not well-formed, or larger than a request needs. */
function parseEnvelope(xml: string): SamlRequest | null {
  const parser = new SaxesParser({ xmlns: true, position: false })
  const artifacts: string[] = []
  let requestId = ''
  let depth = 0
  let inArtifact = false
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw new Error('a document type declaration')
  })
  parser.on('opentag', ({ uri, local, attributes }) => {
    depth += 1
    if (depth > MAX_DEPTH) throw new Error('too deep')
    if (uri !== PROTOCOL) return
    if (local === 'Request') requestId = String(attributes['RequestID']?.value ?? '')
    inArtifact = local === 'AssertionArtifact'
    if (inArtifact) artifacts.push('')
  })
  parser.on('text', (text) => {
    if (inArtifact) artifacts.push((artifacts.pop() ?? '') + text)
  })
  parser.on('closetag', () => {
    depth -= 1
    inArtifact = false
  })
  parser.write(xml).close()
  const [ticket] = artifacts
  if (artifacts.length !== 1 || ticket === undefined) return null
  return { ticket: ticket.trim(), requestId: /^[A-Za-z_][\w.-]{0,199}$/.test(requestId) ? requestId : '' }
}
