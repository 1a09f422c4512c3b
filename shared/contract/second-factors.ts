import { z } from 'zod'
import { Done, Empty, get, Id, post } from './endpoint.ts'
import { ReauthenticationMethod } from './reauthentication.ts'

const Moment = z.iso.datetime()

const Passkey = z.object({
  id: Id,
  name: z.string(),
  createdAt: Moment,
  lastUsedAt: Moment.nullable(),
  /** Synced by its vendor, so that losing one device does not lose it. */
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
  /** The current browser. */
  current: z.boolean(),
})

export const SecondFactors = z.object({
  /** A rule requires a second factor of this person, so the last one can't be removed. */
  demanded: z.boolean(),
  /** This session still has to present one, or set one up if there is none. */
  due: z.boolean(),
  /** Reauthentication methods that don't suffice for a change here, because the login used the same. */
  insufficientMethods: z.array(ReauthenticationMethod),
  totp: z.object({ since: Moment, lastUsedAt: Moment.nullable() }).nullable(),
  /** Null without a factor that they could replace. */
  recoveryCodes: z.object({ left: z.number().int(), total: z.number().int() }).nullable(),
  /** False where browsers don't allow them: plain http. */
  passkeysAvailable: z.boolean(),
  passkeys: z.array(Passkey),
  trustedBrowserDays: z.number().int(),
  trustedBrowsers: z.array(TrustedBrowser),
})
export type SecondFactors = z.infer<typeof SecondFactors>

export const querySecondFactors = get('/second_factor/query/', 'enrolling', Empty, SecondFactors, {
  summary: 'My second factors, passkeys and trusted browsers',
})

/** Adding and removing requires reauthentication; a session that lacks its second factor needs a recent login. */
const SENSITIVE = [
  'reauthentication.required',
  'second-factor.other-method-needed',
  'second-factor.log-in-again',
  'session.second-factor-required',
] as const

/** Shown once: only keyed hashes are stored. Null when existing codes stay valid. */
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()).nullable() })

export const startTotp = post(
  '/second_factor/totp/start/',
  'enrolling',
  Empty,
  z.object({
    /** Base32, for manual entry. */
    secret: z.string(),
    /** `otpauth://…`, for the QR code. */
    uri: z.string(),
  }),
  { summary: 'Begin to set up an authenticator app; valid for ten minutes', errors: SENSITIVE },
)

export const confirmTotp = post(
  '/second_factor/totp/confirm/',
  'enrolling',
  z.strictObject({ code: z.string().min(1).max(40) }),
  RecoveryCodes,
  {
    summary: 'Finish the set-up with a code of the app',
    errors: [...SENSITIVE, 'second-factor.setup-expired', 'second-factor.code-wrong'],
  },
)

export const removeTotp = post('/second_factor/totp/remove/', 'user', Empty, Done, {
  summary: 'Remove the authenticator app',
  errors: ['reauthentication.required', 'second-factor.other-method-needed', 'second-factor.last'],
})

export const renewRecoveryCodes = post('/second_factor/recovery_codes/renew/', 'user', Empty, RecoveryCodes, {
  summary: 'New recovery codes; the old ones stop working',
  errors: ['reauthentication.required', 'second-factor.other-method-needed', 'second-factor.none'],
})

export const removeTrustedBrowsers = post(
  '/second_factor/trusted_browsers/forget/',
  'user',
  z.strictObject({ ids: z.array(Id).min(1).max(100) }),
  Done,
  { summary: 'Stop trusting these browsers' },
)

/** The purposes of a passkey without a portal session. */
export const PasskeyPurpose = z.enum(['login', 'second-factor'])

/**
 * A passkey challenge: valid for one attempt within five minutes, in this browser, for this purpose. It is not stored,
 * so a page may request any number.
 */
export const passkeyChallenge = get(
  '/passkey/challenge/',
  'public',
  z.strictObject({ purpose: PasskeyPurpose.default('login') }),
  z.object({ challenge: z.string(), rpId: z.string() }),
  { summary: 'A challenge for a login with a passkey', signed: false, errors: ['passkey.unavailable'] },
)

/** In the browsers' format: `PublicKeyCredentialCreationOptionsJSON`. */
const CreationOptions = z.looseObject({ challenge: z.string() })

export const passkeyOptions = post('/passkey/options/', 'enrolling', Empty, CreationOptions, {
  summary: 'What the browser needs to create a passkey',
  errors: [...SENSITIVE, 'passkey.unavailable', 'passkey.too-many'],
})

const Name = z.string().trim().min(1).max(50)
const Encoded = z.string().max(8192)

/** `RegistrationResponseJSON`; further properties are ignored. */
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
    summary: 'Store a passkey created by the browser',
    errors: [...SENSITIVE, 'passkey.unavailable', 'passkey.refused', 'passkey.too-many'],
  },
)

export const renamePasskey = post('/passkey/rename/', 'user', z.strictObject({ id: Id, name: Name }), Done, {
  summary: 'Rename a passkey',
  errors: ['passkey.unknown'],
})

export const removePasskey = post('/passkey/remove/', 'user', z.strictObject({ id: Id }), Done, {
  summary: 'Remove a passkey',
  errors: ['reauthentication.required', 'second-factor.other-method-needed', 'passkey.unknown', 'second-factor.last'],
})

/** `AuthenticationResponseJSON`; further properties are ignored. */
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
