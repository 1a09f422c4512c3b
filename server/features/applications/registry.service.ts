import { v7 } from 'uuid'
import {
  covers,
  parseRegisteredAddress,
  parseWebAddress,
  type RegisteredAddress,
  withoutTicket,
} from '#shared/rules/redirect-target.ts'
import type { Db } from '../../platform/db.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Application, listAllApplications, upsertPortalApplication } from './registry.store.ts'

const TOPIC = 'applications'

type Registration = { application: Application; address: RegisteredAddress; length: number }

type Registry = {
  all: Application[]
  byId: Map<string, Application>
  byClientId: Map<string, Application>
  /** Registered services by origin, longest address first, so that a hop doesn't scan all applications. */
  byOrigin: Map<string, Registration[]>
}

const registry = (platform: Platform): Promise<Registry> =>
  platform.cache.read(TOPIC, 'all', async () => {
    const all = [...(await listAllApplications(platform.sql))]
    return {
      all,
      byId: new Map(all.map((one) => [one.id, one])),
      byClientId: new Map(all.flatMap((one) => (one.client ? [[one.client.clientId, one] as const] : []))),
      byOrigin: registrationsOf(all),
    }
  })

function registrationsOf(all: Application[]): Registry['byOrigin'] {
  const origins: Registry['byOrigin'] = new Map()
  for (const application of all.filter(({ protocol }) => protocol === 'cas')) {
    for (const registered of application.serviceUrls) {
      const address = parseRegisteredAddress(registered)
      if (!address) continue
      const { origin } = address.base
      const known = origins.get(origin) ?? []
      known.push({ application, address, length: registered.length })
      origins.set(origin, known)
    }
  }
  for (const known of origins.values()) known.sort((a, b) => b.length - a.length)
  return origins
}

/** Call after every change of an application, in its transaction: all nodes drop their cached registry. */
export const invalidateApplications = (platform: Platform, db: Db): Promise<void> =>
  platform.cache.invalidate(db, TOPIC)

const OIDC_PATH = '/fwk_cas_service/oidc/'

/**
 * The application of a login that continues at our own OpenID provider: a pending authorization request, which names its client, or the
 * page for a device code, which belongs to the portal.
 */
async function findOidcApplication(platform: Platform, { pathname, searchParams }: URL): Promise<Application | null> {
  if (pathname === `${OIDC_PATH}device`) return (await registry(platform)).all.find(({ builtIn }) => builtIn) ?? null
  if (!/^\/fwk_cas_service\/oidc\/authorize\/[\w-]{10,100}$/.test(pathname)) return null
  return await findApplicationByClientId(platform, searchParams.get('client_id') ?? '')
}

/**
 * The application whose registered service address covers `service`, with or without a ticket in it; of several, the longest address wins.
 * @returns null for an unregistered or unusable address. A disabled application is returned too: the gate refuses it.
 */
export async function findApplicationByService(platform: Platform, service: string): Promise<Application | null> {
  const url = parseWebAddress(service)
  if (!url) return null
  if (url.origin === platform.config.publicUrl && url.pathname.startsWith(OIDC_PATH))
    return await findOidcApplication(platform, url)
  const candidates = (await registry(platform)).byOrigin.get(url.origin) ?? []
  const bare = withoutTicket(service)
  const bareUrl = bare === service ? url : (parseWebAddress(bare) ?? url)
  return candidates.find(({ address }) => covers(address, url) || covers(address, bareUrl))?.application ?? null
}

/** The application with this OAuth client id; a disabled one is returned too: the gate refuses it. */
export async function findApplicationByClientId(platform: Platform, clientId: string): Promise<Application | null> {
  return (await registry(platform)).byClientId.get(clientId) ?? null
}

/** All OAuth clients, disabled ones too. */
export async function listOAuthApplications(platform: Platform): Promise<Application[]> {
  return (await registry(platform)).all.filter(({ client }) => client !== null)
}

/** Every application that is not deleted, including the portal and disabled ones. */
export async function listRegisteredApplications(platform: Platform): Promise<readonly Application[]> {
  return (await registry(platform)).all
}

export async function findApplicationById(platform: Platform, id: string): Promise<Application | null> {
  return (await registry(platform)).byId.get(id) ?? null
}

/** Does this origin belong to an enabled application (not the portal)? Only good enough to trust its logout link. */
export async function isRegisteredOrigin(platform: Platform, origin: string): Promise<boolean> {
  const addresses = (await registry(platform)).all
    .filter((application) => application.enabled && !application.builtIn)
    .flatMap(({ serviceUrls, url }) => [...serviceUrls, url])
  return addresses.some((address) => parseWebAddress(address?.replace(/\/\*\*$/, '/'))?.origin === origin)
}

/** May a page of this origin read answers of the token endpoints (CORS)? */
export async function isRegisteredClientOrigin(platform: Platform, origin: string): Promise<boolean> {
  const enabled = (await registry(platform)).all.filter((application) => application.enabled)
  const uris = enabled.flatMap(({ client }) => client?.redirectUris ?? [])
  return uris.some((uri) => parseWebAddress(uri)?.origin === origin)
}

/** The portal's callback, as a registered address. */
export const portalServiceUrl = (publicUrl: string): string => `${publicUrl}/auth_service/cas/login/**`

/** The portal itself is a built-in application, whose address follows PUBLIC_URL. */
export async function ensurePortalApplication(platform: Platform): Promise<void> {
  const { publicUrl } = platform.config
  const portal = {
    id: v7(),
    name: 'Gatehouse',
    url: `${publicUrl}/auth_web/`,
    serviceUrl: portalServiceUrl(publicUrl),
    at: platform.now(),
  }
  const saved = await upsertPortalApplication(platform.sql, portal)
  if (saved.count > 0) await invalidateApplications(platform, platform.sql)
}
