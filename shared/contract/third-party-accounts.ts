import { z } from 'zod'
import { Done, Empty, get, Language, post } from './endpoint.ts'

/** The key of a configured provider: part of the registered callback, and the login type in the records. */
export const ProviderKey = z.string().regex(/^[a-z][a-zA-Z0-9-]{1,31}$/, 'expected letters, digits and -, at most 32')
const ProviderPath = z.strictObject({ provider: ProviderKey })
const PendingCode = z.strictObject({ code: z.string().regex(/^\w{32}$/) })

/** A provider's names by language. */
const Label = z.object({ name: z.string(), names: z.record(Language, z.string()) })

/** The redirect of a browser to the provider. `service` and `method` are those of the login page. */
export const startThirdPartyLogin = get(
  '/third_party/{provider}/login/',
  'public',
  z.looseObject({ provider: z.string() }),
  Done,
  { summary: 'Log in with an account at another system', signed: false, answers: 'redirect' },
)

/** The provider's page with a QR code, for a frame on the login page. */
export const ThirdPartyFrame = z.object({
  url: z.string(),
  /** The origin of the provider's page; messages from others are ignored. */
  origin: z.string(),
  /** The only return address that is accepted. */
  callbackUrl: z.string(),
  state: z.string(),
  /** When to request another one: well before the state expires. */
  renewAfterSeconds: z.number().int(),
})
export type ThirdPartyFrame = z.infer<typeof ThirdPartyFrame>

export const openThirdPartyFrame = post(
  '/third_party/{provider}/frame/',
  'public',
  /** The parameters of the login page. */
  z.strictObject({ service: z.string().max(4096).optional(), method: z.string().max(20).optional() }),
  ThirdPartyFrame,
  {
    query: ProviderPath,
    summary: 'A QR code for the login page',
    errors: ['third-party.unknown', 'third-party.unavailable', 'third-party.unusable'],
  },
)

/** The constant address registered at the provider; the server keeps the purpose of the trip. */
export const thirdPartyCallback = get(
  '/third_party/{provider}/callback/',
  'public',
  z.looseObject({ provider: z.string() }),
  Done,
  { summary: 'The callback of another system', signed: false, answers: 'redirect' },
)

export const ThirdPartyAccount = Label.extend({
  provider: ProviderKey,
  /** False: it can be unlinked, but not used to log in. */
  enabled: z.boolean(),
  bound: z
    .object({
      /** The provider's name for the person, masked. */
      displayName: z.string(),
      boundAt: z.iso.datetime(),
      lastUsedAt: z.iso.datetime().nullable(),
      /** It is the last login method. */
      isLastMethod: z.boolean(),
    })
    .nullable(),
})
export type ThirdPartyAccount = z.infer<typeof ThirdPartyAccount>

export const listThirdPartyAccounts = get(
  '/third_party_account/list/',
  'user',
  Empty,
  z.object({ records: z.array(ThirdPartyAccount), total: z.number().int() }),
  { summary: 'My accounts at other systems' },
)

export const bindThirdPartyAccount = post(
  '/third_party_account/{provider}/bind/',
  'user',
  Empty,
  /** The redirect to the provider, which identifies the person and sends the browser back. */
  z.object({ redirectUrl: z.string() }),
  {
    query: ProviderPath,
    summary: 'Begin to link an account at another system',
    errors: [
      'reauthentication.required',
      'third-party.unknown',
      'third-party.already-bound',
      'third-party.unavailable',
      'third-party.unusable',
    ],
  },
)

/** The identity from the provider, before it is linked. */
export const queryPendingThirdPartyAccount = post(
  '/third_party_account/pending/',
  'user',
  PendingCode,
  Label.extend({
    provider: ProviderKey,
    displayName: z.string(),
    /** True: the person started here and need not be asked again. */
    begunHere: z.boolean(),
  }),
  { summary: 'The account at another system that is waiting to be linked', errors: ['third-party.flow-invalid'] },
)

export const completeThirdPartyAccount = post(
  '/third_party_account/complete/',
  'user',
  PendingCode,
  Label.extend({
    /** The application that the person originally requested; null: none. */
    next: z.string().nullable(),
  }),
  {
    summary: 'Link the waiting account',
    errors: [
      'reauthentication.required',
      'third-party.flow-invalid',
      'third-party.unknown',
      'third-party.already-bound',
      'third-party.taken',
    ],
  },
)

export const unbindThirdPartyAccount = post('/third_party_account/{provider}/unbind/', 'user', Empty, Done, {
  query: ProviderPath,
  summary: 'Unlink an account at another system',
  errors: ['reauthentication.required', 'third-party.unknown', 'third-party.not-bound', 'third-party.last-method'],
})
