import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import * as openid from 'openid-client'
import { freePort } from '../server/testing/free-port.ts'

export type RelyingParty = { url: string; callback: string; close(): Promise<void> }

/**
 * A small third-party application that logs people in by OpenID Connect, with a certified client: shows who came and
 * the claims it received, or the error. `/?scope=…` requests other scopes.
 */
export async function startRelyingParty(portalUrl: () => string, clientId: string): Promise<RelyingParty> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const callback = `${url}callback`
  const started = new Map<string, { pkceCodeVerifier: string; expectedNonce: string }>()
  let known: Promise<openid.Configuration> | null = null
  const configuration = () =>
    (known ??= openid.discovery(new URL(`${portalUrl()}/fwk_cas_service/oidc`), clientId, undefined, openid.None(), {
      execute: [openid.allowInsecureRequests],
    }))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const here = new URL(request.url ?? '/', url)
    if (here.pathname === '/') return start(here.searchParams.get('scope') ?? 'openid profile email', response)
    if (here.pathname !== '/callback') return void response.writeHead(404).end()
    return finish(here, response)
  }

  async function finish(here: URL, response: ServerResponse): Promise<void> {
    const expectedState = here.searchParams.get('state') ?? ''
    try {
      const checks = { ...started.get(expectedState), expectedState, idTokenExpected: true }
      const tokens = await openid.authorizationCodeGrant(await configuration(), here, checks)
      const subject = tokens.claims()?.sub ?? ''
      const claims = await openid.fetchUserInfo(await configuration(), tokens.access_token, subject)
      show(response, `Welcome ${claims.name ?? subject}`, JSON.stringify(claims))
    } catch (error) {
      show(response, `Nobody came: ${error instanceof openid.AuthorizationResponseError ? error.error : error}`, '')
    }
  }

  async function start(scope: string, response: ServerResponse): Promise<void> {
    const [state, nonce, verifier] = [openid.randomState(), openid.randomNonce(), openid.randomPKCECodeVerifier()]
    started.set(state, { pkceCodeVerifier: verifier, expectedNonce: nonce })
    const address = openid.buildAuthorizationUrl(await configuration(), {
      redirect_uri: callback,
      scope,
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    response.writeHead(302, { location: address.href }).end()
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    url,
    callback,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function show(response: ServerResponse, heading: string, told: string): void {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(`<!doctype html><html lang="en"><title>Survey</title><h1>${heading}</h1><pre>${told}</pre></html>`)
}
