import { VENDOR_CALLS, type Vendor, type VendorKey } from '#shared/contract/vendors.ts'
import { call } from '../../platform/api.ts'
import { Refusal } from '../../platform/refusal.ts'
import { EMPTY_OAUTH2_DRAFT, OAUTH2_FIELDS, toOAuth2Draft, toOAuth2Settings } from './oauth2-fields.ts'
import { VENDOR_FIELDS, VENDOR_HOSTS } from './vendor-fields.ts'

/** Ids and labels of the choices; empty: none. */
export type CreationPlaces = Record<
  'createOrganizationId' | 'createOrganization' | 'createCategoryId' | 'createCategory',
  string
>

/** As shown in the form, settings next to the rest. */
export type VendorDraft = {
  enabled: boolean
  position: string
  unbound: Vendor['unbound']
  createState: Vendor['createState']
  createValidDays: string
  matchAccount: boolean
} & CreationPlaces &
  Record<string, string | boolean>

export function toDraft(key: VendorKey, vendor: Vendor): VendorDraft {
  const { enabled, position, unbound, matchAccount, settings } = vendor
  const creation = {
    createOrganizationId: vendor.createOrganizationId ?? '',
    createOrganization: vendor.createOrganization ?? '',
    createCategoryId: vendor.createCategoryId ?? '',
    createCategory: vendor.createCategory ?? '',
    createState: vendor.createState,
    createValidDays: String(vendor.createValidDays ?? ''),
  }
  return { enabled, position: String(position), unbound, matchAccount, ...creation, ...settingsDraft(key, settings) }
}

function settingsDraft(key: VendorKey, settings: Vendor['settings']): Record<string, string | boolean> {
  if (key === 'auth-edu') return settings ? toOAuth2Draft(settings) : EMPTY_OAUTH2_DRAFT
  const stored = settings as Record<string, string | boolean> | null
  const fields = VENDOR_FIELDS[key].map(({ name, kind }) => [name, stored?.[name] ?? (kind === 'switch' ? false : '')])
  // Empty means the vendor's default host.
  const hosts = Object.entries(VENDOR_HOSTS[key]).map(([name, own]) => {
    const value = stored?.[name] ?? own
    return [name, value === own ? '' : value]
  })
  return Object.fromEntries([...fields, ...hosts])
}

/** The names of a vendor's settings. */
export const settingNames = (key: VendorKey): string[] =>
  key === 'auth-edu'
    ? OAUTH2_FIELDS.map(({ path }) => path)
    : [...VENDOR_FIELDS[key].map(({ name }) => name), ...Object.keys(VENDOR_HOSTS[key])]

const trimmed = (value: string | boolean | undefined) => (typeof value === 'string' ? value.trim() : (value ?? ''))

/** The settings as sent, without optional empty ones. */
export function toSettings(key: VendorKey, draft: VendorDraft): object {
  if (key === 'auth-edu') return toOAuth2Settings(draft)
  const fields = VENDOR_FIELDS[key].map(({ name }) => [name, trimmed(draft[name])])
  const hosts = Object.keys(VENDOR_HOSTS[key]).flatMap((name) =>
    trimmed(draft[name]) ? [[name, trimmed(draft[name])]] : [],
  )
  return Object.fromEntries([...fields, ...hosts])
}

export const loadVendor = (key: VendorKey, signal: AbortSignal): Promise<Vendor> =>
  call(VENDOR_CALLS[key].details, {}, { signal })

export function saveVendor(key: VendorKey, { version }: Vendor, draft: VendorDraft): Promise<Vendor> {
  const { enabled, unbound, matchAccount } = draft
  const position = Number(draft.position.trim() || 'x')
  const days = draft.createValidDays.trim()
  const creation = {
    createOrganizationId: draft.createOrganizationId || null,
    createCategoryId: draft.createCategoryId || null,
    createState: draft.createState,
    createValidDays: days === '' ? null : Number(days),
  }
  const body = { version, enabled, position, unbound, matchAccount, ...creation, settings: toSettings(key, draft) }
  return call(VENDOR_CALLS[key].update, { body } as never)
}

export const checkVendor = (key: VendorKey, draft: VendorDraft) =>
  call(VENDOR_CALLS[key].check, { body: { settings: toSettings(key, draft) } } as never)

/** The address that the window of a test login opens. */
export const startTestLogin = (key: VendorKey, draft: VendorDraft): Promise<{ redirectUrl: string }> => {
  const { unbound, matchAccount } = draft
  return call(VENDOR_CALLS[key].testLogin, {
    body: { unbound, matchAccount, settings: toSettings(key, draft) },
  } as never)
}

/** The empty settings without which nothing can be asked of the vendor. */
export function missingSettings(key: VendorKey, draft: VendorDraft): string[] {
  const isEmpty = (name: string) => trimmed(draft[name]) === ''
  if (key !== 'auth-edu') {
    return VENDOR_FIELDS[key].flatMap(({ name, kind, isOptional }) =>
      !isOptional && kind !== 'switch' && isEmpty(name) ? [name] : [],
    )
  }
  const addresses = isEmpty('discoveryUrl') ? ['authorizeUrl', 'tokenUrl'] : []
  return ['clientId', ...addresses].filter(isEmpty)
}

/** Marks empty settings as the server would. */
export const missingError = (missing: readonly string[], reason: string): Refusal =>
  new Refusal(0, 'request.invalid', reason, {
    data: { fields: missing.map((name) => ({ field: `settings.${name}`, reason })) },
  })
