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
  /** Whose passkeys; absent: whichever the person chooses. */
  allow?: AllowedPasskeys
  /** Offered among the suggestions of the user name field, and not by a dialog. */
  asSuggestion?: boolean
}

/** Nothing was proved: the person closed the dialog, or the browser took too long or has no passkey of this site. */
export class NoPasskeyError extends Error {
  override readonly name = 'NoPasskey'
}

export const supportsSuggestions = browserSupportsWebAuthnAutofill

/** Stops a question that is still open. */
export const stopAsking = (): void => WebAuthnAbortService.cancelCeremony()

/**
 * Asks for a passkey of a person who isn't logged in yet.
 * @returns what the login form sends.
 * @throws NoPasskey
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

/** The authenticator's answer as JSON. @throws NoPasskey */
export async function answerTo(optionsJSON: AssertionOptions, useBrowserAutofill = false): Promise<string> {
  try {
    return JSON.stringify(await startAuthentication({ optionsJSON, useBrowserAutofill }))
  } catch {
    throw new NoPasskeyError()
  }
}

type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON']

/** Has the browser make a passkey. @returns what is sent to be kept. @throws NoPasskey */
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
