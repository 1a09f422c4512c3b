import { SaxesParser } from 'saxes'

const CAS_NAMESPACE = 'http://www.yale.edu/tp/cas'

/** More than any legitimate answer has. */
const MAX_ANSWER_CHARACTERS = 64 * 1024

/** The CAS server's answer about a ticket. */
type Validation = { user: string; attributes: Map<string, string[]> }

export type CasClient = {
  /** The URL where a browser logs in and returns to `service` with a ticket. */
  loginUrl(service: string): string
  /** The URL where a browser logs out everywhere and returns to `service`. */
  logoutUrl(service: string): string
  /** Validates a ticket at the server. @returns null if the ticket is invalid. @throws Error if the server can't be reached. */
  validate(service: string, ticket: string): Promise<Validation | null>
}

/** @param pages the CAS server's URL for browsers. @param machine the same for this process. */
export function createCasClient(pages: string, machine: string, fetcher: typeof fetch): CasClient {
  return {
    loginUrl: (service) => `${pages}/login?${new URLSearchParams({ service })}`,
    logoutUrl: (service) => `${pages}/logout?${new URLSearchParams({ service })}`,
    async validate(service, ticket) {
      const address = `${machine}/p3/serviceValidate?${new URLSearchParams({ service, ticket })}`
      const answer = await fetcher(address, { redirect: 'error', signal: AbortSignal.timeout(5000) })
      const text = await answer.text()
      if (!answer.ok || text.length > MAX_ANSWER_CHARACTERS) throw new Error(`validation answered ${answer.status}`)
      return readServiceResponse(text)
    },
  }
}

/** Reads `cas:serviceResponse`; elements of other namespaces are ignored. @throws Error if it is not XML. */
function readServiceResponse(xml: string): Validation | null {
  const attributes = new Map<string, string[]>()
  const path: string[] = []
  let user: string | null = null
  let text = ''
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ uri, local }) => {
    path.push(uri === CAS_NAMESPACE ? local : '')
    text = ''
  })
  parser.on('text', (part) => {
    text += part
  })
  parser.on('closetag', () => {
    const place = path.join('/')
    const name = path.pop() ?? ''
    if (place === 'serviceResponse/authenticationSuccess/user') user = text
    if (place === `serviceResponse/authenticationSuccess/attributes/${name}` && name) {
      attributes.set(name, [...(attributes.get(name) ?? []), text])
    }
  })
  parser.write(xml).close()
  return user === null ? null : { user, attributes }
}

/** The ticket named in a back-channel logout, or null if it is not a logout request. */
export function readLogoutRequest(xml: string): string | null {
  const path: string[] = []
  let ticket: string | null = null
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ local }) => path.push(local))
  parser.on('text', (part) => {
    if (path.join('/') === 'LogoutRequest/SessionIndex') ticket = (ticket ?? '') + part
  })
  parser.on('closetag', () => path.pop())
  try {
    parser.write(xml).close()
  } catch {
    return null
  }
  return ticket
}
