import { SaxesParser } from 'saxes'

const CAS_NAMESPACE = 'http://www.yale.edu/tp/cas'

/** More than any honest answer has. */
const MAX_ANSWER_CHARACTERS = 64 * 1024

/** What the CAS server says of a ticket. */
type Validation = { user: string; attributes: Map<string, string[]> }

export type CasClient = {
  /** Where a browser logs in and comes back from to `service`, with a ticket. */
  loginUrl(service: string): string
  /** Where a browser logs out everywhere and comes back from to `service`. */
  logoutUrl(service: string): string
  /** Asks the server who is behind a ticket. @returns null when the ticket is refused. @throws Error when it can't be asked. */
  validate(service: string, ticket: string): Promise<Validation | null>
}

/** @param pages the CAS server as browsers reach it. @param machine the same as this process reaches it. */
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

/** Reads `cas:serviceResponse`; elements of other name spaces count for nothing. @throws Error for what is no XML. */
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

/** The ticket that a back-channel logout names, or null for anything that is no logout request. */
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
