import { z } from 'zod'
import { Empty, get, Id, post } from './endpoint.ts'
import { AddressRule, AddressRules, MAILBOX_DRIVERS, MailboxSettings } from './mailbox-settings.ts'
import { VendorCheck } from './vendors.ts'

const Shown = z.object({
  /** 0: never set up. */
  version: z.number().int(),
  /** The tile is shown on home pages. */
  enabled: z.boolean(),
  /** As stored, with masked secrets; null: not set up. */
  settings: z.looseObject({ driver: z.enum(MAILBOX_DRIVERS) }).nullable(),
  rules: z.array(AddressRule),
})
export type CorporateMailbox = z.infer<typeof Shown>

export const corporateMailboxDetails = get('/corporate_mailbox/details/', 'superUser', Empty, Shown, {
  summary: 'The mail provider and the address rules, with masked secrets',
})

export const updateCorporateMailbox = post(
  '/corporate_mailbox/update/',
  'superUser',
  z.strictObject({
    version: z.number().int().min(0),
    enabled: z.boolean(),
    settings: MailboxSettings,
    rules: AddressRules,
  }),
  Shown,
  {
    summary: 'Change the mail provider and the address rules; a conflict returns the stored document as `current`',
    errors: ['version.conflict', 'settings.secret-needed'],
  },
)

export const checkCorporateMailbox = post(
  '/corporate_mailbox/check/',
  'superUser',
  z.strictObject({ settings: MailboxSettings, rules: z.array(AddressRule).max(10).default([]) }),
  VendorCheck,
  {
    summary: 'Check these settings at the provider, stored or not, with the mailbox that the rules give the caller',
    errors: ['settings.secret-needed', 'vendor.too-many-checks'],
  },
)

/** Why a person has no address; each has the message `mailbox-problem.<name>`. */
export const ADDRESS_PROBLEMS = [
  'no-rule',
  'bad-number',
  'nothing-recorded',
  'other-domain',
  'unconfirmed',
  'shared',
] as const

/** The number of people in a preview. */
export const PREVIEWED_PEOPLE = 20
export const PREVIEW_KINDS = ['some', 'lacking', 'shared'] as const

const AddressPreview = z.object({
  /** People who are not deleted. */
  people: z.number().int(),
  lacking: z.number().int(),
  /** People who share an address. */
  shared: z.number().int(),
  rows: z.array(
    z.object({
      id: Id,
      account: z.string(),
      name: z.string(),
      category: z.string().nullable(),
      address: z.string().nullable(),
      problem: z.enum(ADDRESS_PROBLEMS).nullable(),
    }),
  ),
})
export type AddressPreview = z.infer<typeof AddressPreview>

export const previewAddresses = post(
  '/corporate_mailbox/preview/',
  'superUser',
  z.strictObject({ rules: AddressRules, show: z.enum(PREVIEW_KINDS).default('some') }),
  AddressPreview,
  {
    summary: 'The addresses that these rules give twenty people, and how many people have none or share one',
  },
)

export const openMailbox = post(
  '/corporate_mailbox/open/',
  'user',
  Empty,
  z.object({
    /** For this person and now, usually valid once: follow it at once and don't store it. */
    url: z.string(),
  }),
  {
    summary: 'A link to my own mailbox, fetched from the provider now',
    errors: [
      'corporate-mailbox.none',
      'corporate-mailbox.unknown',
      'corporate-mailbox.stopped',
      'corporate-mailbox.unavailable',
      'corporate-mailbox.unusable',
      'corporate-mailbox.misconfigured',
      'corporate-mailbox.too-many',
    ],
  },
)
