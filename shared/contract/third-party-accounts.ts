import { z } from 'zod'
import { Done, Empty, get, Language, post } from './endpoint.ts'

/** Names a configured provider: part of the address that is registered there, and the login type in the records. */
export const ProviderKey = z.string().regex(/^[a-z][a-zA-Z0-9-]{1,31}$/, 'expected letters, digits and -, at most 32')
const ProviderPath = z.strictObject({ provider: ProviderKey })
const PendingCode = z.strictObject({ code: z.string().regex(/^\w{32}$/) })

/** A provider's name in the languages that it has one in. */
const Label = z.object({ name: z.string(), names: z.record(Language, z.string()) })

/** Where a browser is sent on to the provider. `service` and `method` are those of the login page. */
export const startThirdPartyLogin = get(
  '/third_party/{provider}/login/',
  'public',
  z.looseObject({ provider: z.string() }),
  Done,
  { summary: 'Log in with an account of another system', signed: false, answers: 'redirect' },
)

/** A page of the provider with a code to scan, for a frame on the login page. */
export const ThirdPartyFrame = z.object({
  url: z.string(),
  /** Of the provider's page: nobody else is listened to. */
  origin: z.string(),
  /** What the provider sends back, and nothing else is taken for it. */
  callbackUrl: z.string(),
  state: z.string(),
  /** After which another one is asked for: well before the state runs out. */
  renewAfterSeconds: z.number().int(),
})
export type ThirdPartyFrame = z.infer<typeof ThirdPartyFrame>

export const openThirdPartyFrame = post(
  '/third_party/{provider}/frame/',
  'public',
  /** Those of the login page. */
  z.strictObject({ service: z.string().max(4096).optional(), method: z.string().max(20).optional() }),
  ThirdPartyFrame,
  {
    query: ProviderPath,
    summary: 'A code to scan on the login page',
    errors: ['third-party.unknown', 'third-party.unavailable', 'third-party.unusable'],
  },
)

/** The constant address that is registered at the provider; what was wanted waits on the server. */
export const thirdPartyCallback = get(
  '/third_party/{provider}/callback/',
  'public',
  z.looseObject({ provider: z.string() }),
  Done,
  { summary: 'Come back from another system', signed: false, answers: 'redirect' },
)

export const ThirdPartyAccount = Label.extend({
  provider: ProviderKey,
  /** False: it can be unbound, but nobody logs in with it now. */
  enabled: z.boolean(),
  bound: z
    .object({
      /** How the provider calls the person, masked. */
      displayName: z.string(),
      boundAt: z.iso.datetime(),
      lastUsedAt: z.iso.datetime().nullable(),
      /** There would be no way left to log in. */
      isLastWay: z.boolean(),
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
  /** Where to go now: the provider asks who it is and sends the browser back. */
  z.object({ redirectUrl: z.string() }),
  {
    query: ProviderPath,
    summary: 'Begin to bind an account of another system',
    errors: [
      'identity-proof.required',
      'third-party.unknown',
      'third-party.already-bound',
      'third-party.unavailable',
      'third-party.unusable',
    ],
  },
)

/** What came back from the provider, before anything is bound. */
export const queryPendingThirdPartyAccount = post(
  '/third_party_account/pending/',
  'user',
  PendingCode,
  Label.extend({
    provider: ProviderKey,
    displayName: z.string(),
    /** True: the person began this here and need not be asked again. */
    begunHere: z.boolean(),
  }),
  { summary: 'Which account of another system waits to be bound', errors: ['third-party.flow-invalid'] },
)

export const completeThirdPartyAccount = post(
  '/third_party_account/complete/',
  'user',
  PendingCode,
  Label.extend({
    /** The application that the person wanted to go to before; null for none. */
    next: z.string().nullable(),
  }),
  {
    summary: 'Bind the account that waits',
    errors: [
      'identity-proof.required',
      'third-party.flow-invalid',
      'third-party.unknown',
      'third-party.already-bound',
      'third-party.taken',
    ],
  },
)

export const unbindThirdPartyAccount = post('/third_party_account/{provider}/unbind/', 'user', Empty, Done, {
  query: ProviderPath,
  summary: 'Unbind an account of another system',
  errors: ['identity-proof.required', 'third-party.unknown', 'third-party.not-bound', 'third-party.last-way'],
})
