import { z } from 'zod'
import { Gateway } from './appearance.ts'
import { Empty, get, post } from './endpoint.ts'

/** The institution's name and appearance as stored; pages fall back to another language. */
export const InstitutionDetails = z.object({
  version: z.number().int(),
  values: Gateway,
  /** Keys that the bootstrap file sets: they can only be changed there. */
  setByFile: z.array(z.string()),
})
export type InstitutionDetails = z.infer<typeof InstitutionDetails>

const { names, contacts, privacyUrl, helpUrl } = Gateway.shape

/** A png, jpg or webp picture as base64 without a prefix, at most 512 KiB. */
export const LogoUpload = z.base64().max(700_000)
/** Room for the pictures and the texts. */
export const LOGO_BODY_BYTES = 768 * 1024

export const institutionDetails = get('/institution/details/', 'superUser', Empty, InstitutionDetails, {
  summary: 'The name and appearance of the institution in all languages, and the keys set by the bootstrap file',
})

export const updateInstitution = post(
  '/institution/update/',
  'superUser',
  z.strictObject({
    version: z.number().int().min(0),
    /** Absent keys are unchanged. */
    changes: z.strictObject({
      names: names.unwrap().optional(),
      contacts: contacts.unwrap().optional(),
      privacyUrl: privacyUrl.unwrap().optional(),
      helpUrl: helpUrl.unwrap().optional(),
    }),
    /** The logo next to the name, also the favicon if none is set. Null: back to the default logo. */
    logo: LogoUpload.nullable().optional(),
    /** The favicon. Null: back to the logo. */
    icon: LogoUpload.nullable().optional(),
  }),
  InstitutionDetails,
  {
    summary: 'Change the name and appearance of the institution; a conflict returns the stored document as `current`',
    errors: ['version.conflict', 'settings.set-by-file', 'file.unreadable-picture', 'file.busy'],
    mostBodyBytes: 2 * LOGO_BODY_BYTES,
  },
)

export const querySystemAddresses = get(
  '/system_settings/addresses/',
  'superUser',
  Empty,
  z.object({
    publicUrl: z.string(),
    /** How this request arrived, considering only trusted proxies. */
    protocol: z.enum(['http', 'https']),
    ip: z.string(),
    trustedProxies: z.array(z.string()),
  }),
  { summary: 'The addresses the server was started with, and how this request arrived' },
)
