import type { Pool } from 'undici'
import { createVisitor, expect, type Visitor } from './client.ts'
import { distribute } from './distribute.ts'
import {
  type Alg,
  checkUserinfo,
  clientCredentials,
  codeIn,
  codeOf,
  createParty,
  discovery,
  introspect,
  type Party,
  redeem,
  refresh,
} from './oidc.ts'
import type { Scenario } from './scenario.types.ts'
import { PASSWORD, type Site } from './site.ts'

type Operation = (worker: number) => Promise<void>

const SESSIONS = 64
const OIDC_BASE = '/fwk_cas_service/oidc'

/** An OpenID provider under load: the product, or a bare one as the floor. */
export type Provider = {
  party(alg?: Alg): Promise<Party>
  /** People with a session in their browsers. */
  loggedIn(party: Party, count: number): Promise<Visitor[]>
}

export async function codeFlow(provider: Provider, concurrency: number, alg: Alg): Promise<Operation> {
  const party = await provider.party(alg)
  const next = distribute(await provider.loggedIn(party, SESSIONS), concurrency)
  return async (worker) => {
    const visitor = next(worker)
    const { access_token } = await redeem(party, await codeOf(party, visitor), visitor.account)
    await checkUserinfo(party, access_token, visitor.account)
  }
}

async function families(provider: Provider, party: Party) {
  const visitors = await provider.loggedIn(party, SESSIONS)
  return await Promise.all(
    visitors.map(async (visitor) => {
      const { account } = visitor
      return { account, ...(await redeem(party, await codeOf(party, visitor), account)) }
    }),
  )
}

export async function refreshing(provider: Provider, concurrency: number): Promise<Operation> {
  const party = await provider.party()
  const next = distribute(await families(provider, party), concurrency)
  return async (worker) => {
    const family = next(worker)
    Object.assign(family, await refresh(party, family.refresh_token, family.account))
  }
}

export async function introspecting(provider: Provider, concurrency: number): Promise<Operation> {
  const party = await provider.party()
  const next = distribute(await families(provider, party), concurrency)
  return async (worker) => {
    const { access_token, account } = next(worker)
    await introspect(party, access_token, account)
  }
}

export async function clientCredentialsGrant(provider: Provider): Promise<Operation> {
  const party = await provider.party()
  return () => clientCredentials(party)
}

export async function discovering(provider: Provider): Promise<Operation> {
  const party = await provider.party()
  return () => discovery(party)
}

/** From the application through the login form and back, with the application's calls. */
async function fullLogin(site: Site, pool: Pool, concurrency: number): Promise<Operation> {
  const party = await createParty(pool, site.url, OIDC_BASE, 'RS256')
  const next = distribute(site.accounts, concurrency)
  return async (worker) => {
    const visitor = createVisitor(pool, site.url, next(worker))
    const asked = await visitor.get(party.authorizePath)
    const service = new URL(asked.location, site.url).searchParams.get('service') ?? ''
    expect(asked.status === 303 && service !== '', 'expected the way to the login page', asked)
    const login = `/fwk_cas_service/login?service=${encodeURIComponent(service)}`
    const sent = await visitor.post(login, { username: visitor.account, password: PASSWORD })
    expect(sent.location === service, 'expected the way back', sent)
    const code = codeIn(await visitor.get(service.slice(site.url.length)))
    const { access_token } = await redeem(party, code, visitor.account)
    await checkUserinfo(party, access_token, visitor.account)
  }
}

type Prepare = (provider: Provider, concurrency: number) => Promise<Operation>

/** @param logIn logs in a number of people, each with their own session. */
export function oidcScenarios(logIn: (site: Site, pool: Pool, count: number) => Promise<Visitor[]>): Scenario[] {
  const scenario = (name: string, budgetMs: number, floor: string, prepare: Prepare): Scenario => ({
    name,
    budgetMs,
    floor,
    prepare: (site, pool, concurrency) =>
      prepare(
        {
          party: (alg = 'RS256') => createParty(pool, site.url, OIDC_BASE, alg),
          loggedIn: (_party, count) => logIn(site, pool, count),
        },
        concurrency,
      ),
  })
  return [
    scenario('OIDC code, tokens, userinfo, RS256', 4.5, 'bare oidc-provider: code flow, RS256', (provider, many) =>
      codeFlow(provider, many, 'RS256'),
    ),
    scenario('OIDC code, tokens, userinfo, ES256', 4.5, 'bare oidc-provider: code flow, ES256', (provider, many) =>
      codeFlow(provider, many, 'ES256'),
    ),
    {
      name: 'OIDC full login: password, code, userinfo',
      // The hash, the login's own budget, and a code flow.
      budgetMs: 22.5,
      floor: 'the hash alone',
      prepare: fullLogin,
    },
    scenario('OIDC refresh with rotation', 2, 'bare oidc-provider: refresh', refreshing),
    scenario('OIDC introspection', 0.8, 'bare oidc-provider: introspection', introspecting),
    scenario('OIDC client credentials', 1, 'bare oidc-provider: client credentials', clientCredentialsGrant),
    scenario('OIDC discovery document', 0.15, 'bare oidc-provider: discovery', discovering),
  ]
}
