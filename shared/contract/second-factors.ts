import { z } from 'zod'
import { Done, Empty, get, Id, post } from './endpoint.ts'
import { ProofMethodName } from './identity-proofs.ts'

const Moment = z.iso.datetime()

const Passkey = z.object({
  id: Id,
  name: z.string(),
  createdAt: Moment,
  lastUsedAt: Moment.nullable(),
  /** Synced by its maker, so that losing one device does not lose it. */
  backedUp: z.boolean(),
})

const TrustedBrowser = z.object({
  id: Id,
  /** "Chrome 140"; empty when unknown. */
  browser: z.string(),
  device: z.string(),
  ip: z.string(),
  createdAt: Moment,
  lastUsedAt: Moment,
  expiresAt: Moment,
  /** This very browser. */
  current: z.boolean(),
})

export const SecondFactors = z.object({
  /** A rule asks this person for a second factor, so the last one can't be removed. */
  demanded: z.boolean(),
  /** This session still has to prove one, or set one up when there is none. */
  due: z.boolean(),
  /** Proofs of identity that don't suffice to change any of this, because the login proved the same. */
  insufficientProofs: z.array(ProofMethodName),
  totp: z.object({ since: Moment, lastUsedAt: Moment.nullable() }).nullable(),
  /** Null without a factor that they could stand in for. */
  recoveryCodes: z.object({ left: z.number().int(), total: z.number().int() }).nullable(),
  /** False where browsers allow none: plain http. */
  passkeysAvailable: z.boolean(),
  passkeys: z.array(Passkey),
  trustedBrowserDays: z.number().int(),
  trustedBrowsers: z.array(TrustedBrowser),
})
export type SecondFactors = z.infer<typeof SecondFactors>

export const querySecondFactors = get('/second_factor/query/', 'enrolling', Empty, SecondFactors, {
  summary: 'My second factors, passkeys and trusted browsers',
})

/** Adding and removing asks for a fresh proof of identity; in a session that lacks its second factor, for a login just now. */
const SENSITIVE = [
  'identity-proof.required',
  'second-factor.other-proof-needed',
  'second-factor.log-in-again',
  'session.second-factor-required',
] as const

/** Shown once: only keyed hashes are kept. Null when the codes from before stay good. */
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()).nullable() })

export const startTotp = post(
  '/second_factor/totp/start/',
  'enrolling',
  Empty,
  z.object({
    /** Base32, to type by hand. */
    secret: z.string(),
    /** `otpauth://…`, for the picture that an authenticator app reads. */
    uri: z.string(),
  }),
  { summary: 'Begin to set up an authenticator app; good for ten minutes', errors: SENSITIVE },
)

export const confirmTotp = post(
  '/second_factor/totp/confirm/',
  'enrolling',
  z.strictObject({ code: z.string().min(1).max(40) }),
  RecoveryCodes,
  {
    summary: 'Finish the set-up with a code that the app shows',
    errors: [...SENSITIVE, 'second-factor.setup-expired', 'second-factor.code-wrong'],
  },
)

export const removeTotp = post('/second_factor/totp/remove/', 'user', Empty, Done, {
  summary: 'Remove the authenticator app',
  errors: ['identity-proof.required', 'second-factor.other-proof-needed', 'second-factor.last'],
})

export const renewRecoveryCodes = post('/second_factor/recovery_codes/renew/', 'user', Empty, RecoveryCodes, {
  summary: 'New recovery codes; the old ones stop working',
  errors: ['identity-proof.required', 'second-factor.other-proof-needed', 'second-factor.none'],
})

export const removeTrustedBrowsers = post(
  '/second_factor/trusted_browsers/forget/',
  'user',
  z.strictObject({ ids: z.array(Id).min(1).max(100) }),
  Done,
  { summary: 'Trust these browsers no longer' },
)

/** What a passkey can be asked for without a portal session. */
export const PasskeyPurpose = z.enum(['login', 'second-factor'])

/**
 * A challenge for a passkey: good for one try within five minutes, in this browser, for this purpose. Nothing is stored for it,
 * so a page may ask for as many as it likes.
 */
export const passkeyChallenge = get(
  '/passkey/challenge/',
  'public',
  z.strictObject({ purpose: PasskeyPurpose.default('login') }),
  z.object({ challenge: z.string(), rpId: z.string() }),
  { summary: 'A challenge for a login with a passkey', signed: false, errors: ['passkey.unavailable'] },
)

/** As browsers take it: `PublicKeyCredentialCreationOptionsJSON`. */
const CreationOptions = z.looseObject({ challenge: z.string() })

export const passkeyOptions = post('/passkey/options/', 'enrolling', Empty, CreationOptions, {
  summary: 'What the browser needs to make a passkey',
  errors: [...SENSITIVE, 'passkey.unavailable', 'passkey.too-many'],
})

const Name = z.string().trim().min(1).max(50)
const Encoded = z.string().max(8192)

/** `RegistrationResponseJSON`; what browsers add to it is ignored. */
export const RegistrationResponse = z.object({
  id: Encoded,
  rawId: Encoded,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: Encoded,
    attestationObject: z.string().max(32_768),
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
})

export const registerPasskey = post(
  '/passkey/register/',
  'enrolling',
  z.strictObject({ name: Name, response: RegistrationResponse }),
  RecoveryCodes,
  {
    summary: 'Keep a passkey that the browser has made',
    errors: [...SENSITIVE, 'passkey.unavailable', 'passkey.refused', 'passkey.too-many'],
  },
)

export const renamePasskey = post('/passkey/rename/', 'user', z.strictObject({ id: Id, name: Name }), Done, {
  summary: 'Rename a passkey',
  errors: ['passkey.unknown'],
})

export const removePasskey = post('/passkey/remove/', 'user', z.strictObject({ id: Id }), Done, {
  summary: 'Remove a passkey',
  errors: ['identity-proof.required', 'second-factor.other-proof-needed', 'passkey.unknown', 'second-factor.last'],
})

/** `AuthenticationResponseJSON`; what browsers add to it is ignored. */
export const AuthenticationResponse = z.object({
  id: Encoded,
  rawId: Encoded,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: Encoded,
    authenticatorData: Encoded,
    signature: Encoded,
    userHandle: z.string().max(200).nullish(),
  }),
})
export type AuthenticationResponse = z.output<typeof AuthenticationResponse>
