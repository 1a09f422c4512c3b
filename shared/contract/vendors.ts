import { z } from 'zod'
import { PersonCreation, UNBOUND } from './created-people.ts'
import { Empty, get, post } from './endpoint.ts'
import { NETWORK_PROBLEMS } from './network-problems.ts'
import { OAuth2Settings } from './oauth2-settings.ts'
import { DingdingSettings, QqSettings, QywxSettings, WeChatSettings } from './vendor-settings.ts'

/** Systems with their own page, by login type. */
export const VENDOR_KEYS = ['qywx', 'dingding', 'weChat', 'qq', 'auth-edu'] as const
export type VendorKey = (typeof VENDOR_KEYS)[number]

/** The page of a vendor. */
export const vendorPage = (key: string): string => `/auth_web/manage/${key === 'weChat' ? 'weixin' : key}`

/** The login settings of any vendor. */
const VendorUse = {
  enabled: z.boolean(),
  /** Its position among the buttons of the login page. */
  position: z.number().int().min(0).max(999),
  /** What happens to people who are not linked. */
  unbound: z.enum(UNBOUND),
  /** For created people; see `PersonCreation`. */
  createOrganizationId: PersonCreation.shape.organizationId,
  createCategoryId: PersonCreation.shape.categoryId,
  createState: PersonCreation.shape.state,
  createValidDays: PersonCreation.shape.validDays,
  /** Automatically links people with this account here. */
  matchAccount: z.boolean(),
}

/** The steps of a check, in order. */
export const CHECK_STEPS = [
  'host',
  'clock',
  'addresses',
  'secret',
  'corporation',
  'application',
  'account',
  'permission',
  'range',
  'callback',
  'mailbox',
  'events',
] as const
const CHECK_OUTCOMES = ['well', 'failed', 'skipped'] as const

/** Why a step failed: each has the message `vendor-fault.<reason>`; a vendor's code may have its own. */
const CHECK_REASONS = [
  'clock',
  'refused',
  'unavailable',
  'unusable',
  'misconfigured',
  'unclear',
  ...NETWORK_PROBLEMS,
] as const

export const VendorCheck = z.object({
  steps: z.array(
    z.object({
      step: z.enum(CHECK_STEPS),
      outcome: z.enum(CHECK_OUTCOMES),
      reason: z.enum(CHECK_REASONS).nullable(),
      /** From the vendor's manual; null: none. */
      code: z.string().nullable(),
    }),
  ),
})
export type VendorCheck = z.infer<typeof VendorCheck>

const SAVE_ERRORS = ['version.conflict', 'settings.secret-needed', 'settings.set-by-file'] as const

const Shown = z.object({
  /** 0: never set up. */
  version: z.number().int(),
  /** Set by the bootstrap file: it can't be saved here. */
  isSetByFile: z.boolean(),
  /** To be registered at the vendor. */
  callbackUrl: z.string(),
  ...VendorUse,
  /** Names of those; null: none, or deleted. */
  createOrganization: z.string().nullable(),
  createCategory: z.string().nullable(),
  /** As stored, with masked secrets; null: not set up. */
  settings: z.record(z.string(), z.unknown()).nullable(),
  /** The number of people linked under each setting's value: after a change they have to link again. */
  knownBy: z.record(z.string(), z.number().int()),
})
export type Vendor = z.infer<typeof Shown>

function vendorCalls<Settings extends z.ZodType<object>>(key: VendorKey, settings: Settings, name: string) {
  return {
    details: get(`/vendor/${key}/details/`, 'superUser', Empty, Shown, {
      summary: `The login settings of ${name}, with masked secrets`,
    }),
    update: post(
      `/vendor/${key}/update/`,
      'superUser',
      z.strictObject({ version: z.number().int().min(0), ...VendorUse, settings }),
      Shown,
      { summary: `Change the login settings of ${name}`, errors: SAVE_ERRORS },
    ),
    removeSecrets: post(
      `/vendor/${key}/remove_secrets/`,
      'superUser',
      z.strictObject({ version: z.number().int().min(1) }),
      Shown,
      {
        summary: `Remove the stored secrets of ${name}, while nobody can log in with it`,
        errors: ['version.conflict', 'settings.set-by-file', 'vendor.in-use', 'vendor.no-secret'],
      },
    ),
    check: post(`/vendor/${key}/check/`, 'superUser', z.strictObject({ settings }), VendorCheck, {
      summary: `Check these settings at ${name}, stored or not`,
      errors: ['settings.secret-needed', 'vendor.too-many-checks'],
    }),
    testLogin: post(
      `/vendor/${key}/test_login/`,
      'superUser',
      z.strictObject({ unbound: VendorUse.unbound, matchAccount: VendorUse.matchAccount, settings }),
      /** For a new window, which returns to the vendor's page with the result. */
      z.object({ redirectUrl: z.string() }),
      {
        summary: `Start a test login at ${name}, which logs nobody in and links nobody`,
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
