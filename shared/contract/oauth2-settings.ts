import { z } from 'zod'
import { parseWebAddress } from '../rules/redirect-target.ts'

const Address = z
  .string()
  .max(2000)
  .refine((value) => parseWebAddress(value) !== null && !value.includes('#'), 'expected an http or https address')
const Origin = Address.refine((value) => new URL(value).origin === value, 'expected an origin such as https://host')
/** Empty if the provider has no such parameter. */
const Name = z.string().regex(/^[\w.-]{0,64}$/, 'expected the name of a parameter')
const Pointer = z
  .string()
  .max(200)
  .regex(/^(\/.*)?$/, 'expected a JSON pointer such as /data/access_token')
const Values = z.record(z.string().min(1).max(64), z.string().max(1000))

/** The names of our parameters in the provider's requests. */
const Names = z.strictObject({
  clientId: Name.default('client_id'),
  clientSecret: Name.default('client_secret'),
  redirectUri: Name.default('redirect_uri'),
  responseType: Name.default('response_type'),
  grantType: Name.default('grant_type'),
  scope: Name.default('scope'),
  code: Name.default('code'),
  /** The name of the code in the callback, if it differs. */
  returnedCode: Name.min(1).default('code'),
})

/** Many return errors with status 200: then only this tells success. */
const Success = z.strictObject({ pointer: Pointer, equals: z.union([z.string(), z.number(), z.boolean()]) })

/**
 * `Authorization` and the like, computed for each call: `{{clientId}} {{clientSecret}} {{timestamp}} {{signature}}` are
 * filled in.
 */
const Signature = z.strictObject({
  algorithm: z.enum(['sha1', 'sha256']),
  /** The text to sign, with the same placeholders. */
  text: z.string().min(1).max(500),
  /** `base64-of-hex` is literal: some encode twice. */
  encoding: z.enum(['hex', 'HEX', 'base64', 'base64-of-hex']),
})

const TokenCall = z.strictObject({
  method: z.enum(['POST', 'GET']).default('POST'),
  body: z.enum(['form', 'json', 'query']).default('form'),
  auth: z.enum(['basic', 'body', 'none']).default('basic'),
  headers: Values.default({}),
  signature: Signature.nullable().default(null),
  extra: Values.default({}),
  /**
   * `code`: the person's token, for the code. `app`: the application's own, cached until it expires; the code is sent
   * with the user call.
   */
  of: z.enum(['code', 'app']).default('code'),
  token: Pointer.default('/access_token'),
  expiresIn: Pointer.default('/expires_in'),
  success: Success.nullable().default(null),
  error: Pointer.default('/error'),
})

const UserCall = z.strictObject({
  method: z.enum(['GET', 'POST']).default('GET'),
  token: z.enum(['bearer', 'query', 'body', 'header']).default('bearer'),
  tokenName: Name.default('access_token'),
  extra: Values.default({}),
  success: Success.nullable().default(null),
  error: Pointer.default('/error'),
})

const ClaimMap = z.strictObject({
  subject: Pointer.default('/sub'),
  name: Pointer.default('/name'),
  number: Pointer.nullable().default(null),
  phone: Pointer.nullable().default('/phone_number'),
  phoneVerified: Pointer.nullable().default('/phone_number_verified'),
  mailbox: Pointer.nullable().default('/email'),
  mailboxVerified: Pointer.nullable().default('/email_verified'),
  role: Pointer.nullable().default(null),
  orgCode: Pointer.nullable().default(null),
  orgName: Pointer.nullable().default(null),
  avatar: Pointer.nullable().default('/picture'),
})

/** Never symmetric, never `none`: the verification key must not be able to sign. */
const Algorithm = z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'])

const IdToken = z.strictObject({
  issuer: Address,
  jwksUrl: Address,
  algorithms: z.array(Algorithm).min(1).default(['RS256', 'PS256', 'ES256', 'EdDSA']),
})

/**
 * Everything in which systems that call themselves OAuth 2.0, OpenID Connect or "digital base" differ. Defaults follow
 * the standard.
 */
export const OAuth2Settings = z
  .strictObject({
    clientId: z.string().min(1).max(256),
    /** Encrypted. Absent: a public client, which needs PKCE. */
    clientSecret: z.string().min(1).max(1024).optional(),
    /** OpenID Connect: `…/.well-known/openid-configuration` provides missing addresses, and the ID token's keys. */
    discoveryUrl: Address.optional(),
    authorizeUrl: Address.optional(),
    tokenUrl: Address.optional(),
    /** Absent without discovery: the token call's answer identifies the person. */
    userUrl: Address.optional(),
    /** Further origins that the discovery document may name, besides its own. No other is ever contacted. */
    origins: z.array(Origin).max(10).default([]),
    scope: z.string().max(500).default(''),
    names: Names.prefault({}),
    authorizeExtra: Values.default({}),
    token: TokenCall.prefault({}),
    user: UserCall.prefault({}),
    claims: ClaimMap.prefault({}),
    /** Translations of claim values, such as role 11 to student. */
    values: z.strictObject({ role: Values.optional(), orgCode: Values.optional() }).default({}),
    /** Contacts that count as verified without a claim saying so. */
    verifies: z.array(z.enum(['phone', 'mailbox'])).default([]),
    pkce: z.boolean().default(true),
    nonce: z.boolean().default(true),
    idToken: IdToken.nullable().default(null),
    clockSkewSeconds: z.number().int().min(0).max(600).default(60),
    /** The scope in which subjects are unique; default: the issuer, else the client id. */
    realm: z.string().min(1).max(200).optional(),
  })
  .refine((settings) => settings.discoveryUrl || (settings.authorizeUrl && settings.tokenUrl), {
    message: 'expected discoveryUrl, or authorizeUrl and tokenUrl',
  })
  .refine((settings) => settings.clientSecret !== undefined || settings.pkce, {
    message: 'expected clientSecret, or pkce for a client without one',
  })
export type OAuth2Settings = z.output<typeof OAuth2Settings>
