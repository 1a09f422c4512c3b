import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TestedLogin } from '#shared/contract/tested-logins.ts'
import { ConnectorFault, findConnector, type ThirdPartyIdentity } from '../../connectors/index.ts'
import { randomToken } from '../../platform/crypto.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { browserIdOf, ensureBrowserId } from '../sessions/index.ts'
import { callbackUrl, findProvider, isInOwnBrowser, type Provider } from '../third-party-providers/index.ts'
import { displayNameOf } from './pending-binding.service.ts'
import { mayBeCreated } from './person-creation.service.ts'
import { newAttempt, singleParameters, throwRefusal } from './provider-flow.service.ts'
import { errors } from './third-party-accounts.errors.ts'
import { findBoundAccount, findPersonShown } from './third-party-accounts.store.ts'
import { findMatch } from './third-party-login.service.ts'

const FLOW_KIND = 'third-party-test'
const RESULT_KIND = 'third-party-tested'
const TEST_SECONDS = 600
/** For an unsaved vendor, where nobody is linked. */
const UNSAVED_ID = '00000000-0000-0000-0000-000000000000'

/** What is tested: settings of a form, saved or not, and what would happen to the person. */
export type TestedProvider = {
  key: string
  connector: string
  settings: object
} & Pick<Provider, 'unbound' | 'matchBy'>

type TestFlow = {
  key: string
  connector: string
  /** Sealed settings, secrets included. */
  sealed: string
  use: Pick<Provider, 'unbound' | 'matchBy'>
  browser: string
  nonce: string
  codeVerifier: string
  inApp: boolean
  userId: string
}

/**
 * Begins a login that doesn't log anybody in. @returns where the browser is redirected. @throws Refusal `third-party.unavailable|unusable`
 */
export async function startTestLogin(
  ctx: Context,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { key, connector, settings, unbound, matchBy }: TestedProvider,
): Promise<string> {
  const known = await providerOf(ctx, key, { unbound, matchBy })
  const attempt = newAttempt(ctx, known, isInOwnBrowser({ ...known, connector }, ctx.client.userAgent))
  const connection = findConnector(connector)?.open(ctx, settings)
  if (!connection) throw errors['third-party.flow-invalid']()
  const address = await connection.authorizeUrl(attempt).catch((error) => throwRefusal(ctx, known, error))
  const { state, nonce, codeVerifier, inApp } = attempt
  const flow: TestFlow = {
    key,
    connector,
    sealed: ctx.secrets.seal(JSON.stringify(settings)),
    use: { unbound, matchBy },
    browser: ensureBrowserId(ctx.config, request, reply),
    nonce,
    codeVerifier,
    inApp,
    userId: callerOf(ctx).userId,
  }
  await ctx.state.put(FLOW_KIND, state, flow, TEST_SECONDS)
  return address
}

/** The provider with the settings under test. */
async function providerOf(ctx: Context, key: string, use: TestFlow['use']): Promise<Provider> {
  const stored = await findProvider(ctx, key)
  const unsaved = { id: UNSAVED_ID, key, connector: '', name: key, names: {} as Provider['names'], creates: {} }
  return { ...unsaved, ...stored, enabled: true, ...use }
}

/**
 * The end of such a flow; null if the callback belongs to another one. Nothing is linked, created or renamed.
 * @returns the code with which its administrator reads the result.
 */
export async function finishTestLogin(ctx: Context, request: FastifyRequest, key: string): Promise<string | null> {
  const returned = singleParameters(request.query)
  const state = returned['state'] ?? ''
  const flow = /^\w{32}$/.test(state) ? await ctx.state.take<TestFlow>(FLOW_KIND, state) : null
  if (!flow) return null
  if (flow.key !== key || flow.browser !== browserIdOf(ctx.config, request)) throw errors['third-party.flow-invalid']()
  const code = randomToken(32)
  const result = { userId: flow.userId, tested: await tryLogin(ctx, { ...flow, state }, returned) }
  await ctx.state.put(RESULT_KIND, code, result satisfies TestResult, TEST_SECONDS)
  return code
}

type TestResult = { userId: string; tested: TestedLogin }

async function tryLogin(
  ctx: Context,
  flow: TestFlow & { state: string },
  returned: Record<string, string>,
): Promise<TestedLogin> {
  const { key, connector, sealed, use, nonce, codeVerifier, inApp, state } = flow
  const attempt = { state, nonce, codeVerifier, inApp, redirectUri: callbackUrl(ctx, key) }
  try {
    const settings: unknown = JSON.parse(ctx.secrets.open(sealed))
    const identity = await findConnector(connector)?.open(ctx, settings).exchange(attempt, returned)
    if (!identity) throw new ConnectorFault('unusable', 'test: no connector')
    return { fault: null, ...(await describe(ctx, await providerOf(ctx, key, use), identity)) }
  } catch (error) {
    if (!(error instanceof ConnectorFault)) throw error
    const { reason, detail, vendorCode, network } = error
    ctx.log.info({ provider: key, reason, detail }, 'third-party test login')
    return {
      fault: { reason: network ?? reason, code: vendorCode, detail },
      identity: null,
      outcome: null,
      person: null,
    }
  }
}

/** Whom an identity would link or log in; read-only. */
async function describe(
  ctx: Context,
  provider: Provider,
  identity: ThirdPartyIdentity,
): Promise<Omit<TestedLogin, 'fault'>> {
  const { realm, subject, former, claims, verified } = identity
  const shown = { realm, subject, name: displayNameOf(identity), claims, verified: [...verified] }
  const boundBy = (key: { realm: string; subject: string }) =>
    findBoundAccount(ctx.db, { providerId: provider.id, realm: key.realm, subject: key.subject })
  const bound = (await boundBy(identity)) ?? (former ? await boundBy(former) : null)
  const userId = bound?.userId ?? (await findMatch(ctx, provider, identity))
  const person = userId === null ? null : await findPersonShown(ctx.db, userId)
  if (person) return { identity: shown, outcome: bound ? 'bound' : 'matched', person }
  if (await mayBeCreated(ctx, provider, identity)) {
    return { identity: shown, outcome: claims.number === undefined ? 'asked' : 'created', person: null }
  }
  return { identity: shown, outcome: provider.unbound === 'refuse' ? 'refused' : 'offered', person: null }
}

/** The result, for the administrator who started the test. @throws Refusal `third-party.flow-invalid` */
export async function readTestedLogin(ctx: Context, code: string): Promise<TestedLogin> {
  const result = await ctx.state.peek<TestResult>(RESULT_KIND, code)
  if (result?.userId !== callerOf(ctx).userId) throw errors['third-party.flow-invalid']()
  return result.tested
}
