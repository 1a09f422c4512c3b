import { z } from 'zod'
import { PersonCreation, UNBOUND } from './created-people.ts'
import { Empty, get, post } from './endpoint.ts'
import { OAuth2Settings } from './oauth2-settings.ts'
import { DingdingSettings, QqSettings, QywxSettings, WeChatSettings } from './vendor-settings.ts'

/** Systems that have a page of their own, by the login type in the records. */
export const VENDOR_KEYS = ['qywx', 'dingding', 'weChat', 'qq', 'auth-edu'] as const
export type VendorKey = (typeof VENDOR_KEYS)[number]

/** Where a vendor is set up. */
export const vendorPage = (key: string): string => `/auth_web/manage/${key === 'weChat' ? 'weixin' : key}`

/** How people come in by a vendor, whichever it is. */
const VendorUse = {
  enabled: z.boolean(),
  /** Its place among the buttons of the login page. */
  position: z.number().int().min(0).max(999),
  /** What becomes of somebody whom nobody here is linked to. */
  unbound: z.enum(UNBOUND),
  /** Of people who are created; see `PersonCreation`. */
  createOrganizationId: PersonCreation.shape.organizationId,
  createCategoryId: PersonCreation.shape.categoryId,
  createState: PersonCreation.shape.state,
  createValidDays: PersonCreation.shape.validDays,
  /** Links by itself whoever has this account here. */
  matchAccount: z.boolean(),
}

/** The steps of a check, in their order. */
export const CHECK_STEPS = [
  'host',
  'clock',
  'addresses',
  'secret',
  'application',
  'permission',
  'range',
  'callback',
  'mailbox',
  'events',
] as const
const CHECK_OUTCOMES = ['well', 'failed', 'skipped'] as const

/** Why a step failed: each has the message `vendor-fault.<reason>`; a code of the vendor may have one of its own. */
const CHECK_REASONS = ['clock', 'refused', 'unavailable', 'unusable', 'misconfigured', 'unclear'] as const

export const VendorCheck = z.object({
  steps: z.array(
    z.object({
      step: z.enum(CHECK_STEPS),
      outcome: z.enum(CHECK_OUTCOMES),
      reason: z.enum(CHECK_REASONS).nullable(),
      /** As the vendor's manual lists it; null when it gave none. */
      code: z.string().nullable(),
    }),
  ),
})
export type VendorCheck = z.infer<typeof VendorCheck>

const SAVE_ERRORS = ['version.conflict', 'settings.secret-needed', 'settings.set-by-file'] as const

const Shown = z.object({
  /** 0: it was never set up. */
  version: z.number().int(),
  /** The bootstrap file sets it: it can't be saved here. */
  isSetByFile: z.boolean(),
  /** To be registered at the vendor. */
  callbackUrl: z.string(),
  ...VendorUse,
  /** How those are called; null: none, or there is none by now. */
  createOrganization: z.string().nullable(),
  createCategory: z.string().nullable(),
  /** As stored, stars for secrets; null: nothing is. */
  settings: z.record(z.string(), z.unknown()).nullable(),
  /** By the name of a setting how many people are known by its value: with another one they have to link anew. */
  knownBy: z.record(z.string(), z.number().int()),
})
export type Vendor = z.infer<typeof Shown>

function vendorCalls<Settings extends z.ZodType<object>>(key: VendorKey, settings: Settings, name: string) {
  return {
    details: get(`/vendor/${key}/details/`, 'superUser', Empty, Shown, {
      summary: `How people log in by ${name}; secrets are shown as stars`,
    }),
    update: post(
      `/vendor/${key}/update/`,
      'superUser',
      z.strictObject({ version: z.number().int().min(0), ...VendorUse, settings }),
      Shown,
      { summary: `Sets how people log in by ${name}`, errors: SAVE_ERRORS },
    ),
    check: post(`/vendor/${key}/check/`, 'superUser', z.strictObject({ settings }), VendorCheck, {
      summary: `Tries these settings at ${name}, stored or not`,
      errors: ['settings.secret-needed', 'vendor.too-many-checks'],
    }),
    testLogin: post(
      `/vendor/${key}/test_login/`,
      'superUser',
      z.strictObject({ unbound: VendorUse.unbound, matchAccount: VendorUse.matchAccount, settings }),
      /** For a window of its own, which comes back to the vendor's page with what the vendor told. */
      z.object({ redirectUrl: z.string() }),
      {
        summary: `Begins a login at ${name} that logs nobody in and binds nobody`,
        errors: ['settings.secret-needed', 'vendor.too-many-checks', 'third-party.unavailable', 'third-party.unusable'],
      },
    ),
  }
}

export const VENDOR_CALLS = {
  qywx: vendorCalls('qywx', QywxSettings, 'WeCom'),
  dingding: vendorCalls('dingding', DingdingSettings, 'DingTalk'),
  weChat: vendorCalls('weChat', WeChatSettings, 'WeChat'),
  qq: vendorCalls('qq', QqSettings, 'QQ'),
  'auth-edu': vendorCalls('auth-edu', OAuth2Settings, 'an education platform'),
} as const
