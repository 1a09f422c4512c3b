import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type { Envelope } from '#shared/contract/endpoint.ts'

type AllowedPasskeys = readonly { id: string; transports: readonly string[] }[]

type PasskeyRequest = {
  purpose: 'login' | 'second-factor'
  /** The person's passkeys; absent: any passkey. */
  allow?: AllowedPasskeys
  /** Offered in the suggestions of the user name field instead of a dialog. */
  asSuggestion?: boolean
}

/** No passkey was used: the person cancelled, or the browser timed out or has no passkey for this site. */
export class NoPasskeyError extends Error {
  override readonly name = 'NoPasskey'
}

export const supportsSuggestions = browserSupportsWebAuthnAutofill

/** Cancels a pending request. */
export const stopAsking = (): void => WebAuthnAbortService.cancelCeremony()

/**
 * Asks for a passkey before login.
 * @returns what the login form sends.
 * @throws NoPasskeyError
 */
export async function askForPasskey({ purpose, allow = [], asSuggestion = false }: PasskeyRequest): Promise<string> {
  const { challenge, rpId } = await fetchChallenge(purpose)
  const options = { challenge, rpId, userVerification: purpose === 'login' ? 'required' : 'preferred' } as const
  return answerTo({ ...options, allowCredentials: toDescriptors(allow), timeout: 240_000 }, asSuggestion)
}

type AssertionOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']
type Transports = NonNullable<NonNullable<AssertionOptions['allowCredentials']>[number]['transports']>

const toDescriptors = (allow: AllowedPasskeys): NonNullable<AssertionOptions['allowCredentials']> =>
  allow.map(({ id, transports }) => ({ id, type: 'public-key', transports: [...transports] as Transports }))

/** The authenticator's answer as JSON. @throws NoPasskeyError */
export async function answerTo(optionsJSON: AssertionOptions, useBrowserAutofill = false): Promise<string> {
  try {
    return JSON.stringify(await startAuthentication({ optionsJSON, useBrowserAutofill }))
  } catch {
    throw new NoPasskeyError()
  }
}

type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON']

/** Creates a passkey. @returns the registration to send. @throws NoPasskeyError */
export async function makePasskey(optionsJSON: CreationOptions) {
  try {
    const { id, rawId, response } = await startRegistration({ optionsJSON })
    const { clientDataJSON, attestationObject, transports = [] } = response
    return { id, rawId, type: 'public-key' as const, response: { clientDataJSON, attestationObject, transports } }
  } catch {
    throw new NoPasskeyError()
  }
}

async function fetchChallenge(purpose: PasskeyRequest['purpose']): Promise<{ challenge: string; rpId: string }> {
  const answer = await fetch(`/auth_service/passkey/challenge/?purpose=${purpose}`).catch(() => null)
  const { data } = ((await answer?.json().catch(() => null)) ?? {}) as Partial<
    Envelope<{ challenge: string; rpId: string }>
  >
  if (!answer?.ok || !data) throw new NoPasskeyError()
  return data
}
