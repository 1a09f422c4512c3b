import {
  type CorporateMailbox,
  checkCorporateMailbox,
  corporateMailboxDetails,
  updateCorporateMailbox,
} from '#shared/contract/corporate-mailbox.ts'
import type { AddressRule, MailboxDriver } from '#shared/contract/mailbox-settings.ts'
import { call } from '../../platform/api.ts'

export type MailboxField = { name: string; kind: 'text' | 'secret' | 'key' | 'host'; standard?: string }

const API: MailboxField = { name: 'apiHost', kind: 'host' }
const LOGIN: MailboxField = { name: 'loginHost', kind: 'host' }

/** The values from the provider's console, and its hosts; a host without a default is required. */
export const MAILBOX_FIELDS: Readonly<Record<MailboxDriver, readonly MailboxField[]>> = {
  exmail: [
    { name: 'corpId', kind: 'text' },
    { name: 'secret', kind: 'secret' },
    { ...API, standard: 'https://api.exmail.qq.com' },
    { ...LOGIN, standard: 'https://exmail.qq.com' },
  ],
  coremail: [{ name: 'appId', kind: 'text' }, { name: 'secret', kind: 'secret' }, API, LOGIN],
  netease: [
    { name: 'privateKey', kind: 'key' },
    { ...LOGIN, standard: 'https://entry.qiye.163.com' },
  ],
  alimail: [
    { name: 'clientId', kind: 'text' },
    { name: 'clientSecret', kind: 'secret' },
    { ...API, standard: 'https://alimail-cn.aliyuncs.com' },
    { ...LOGIN, standard: 'https://qiye.aliyun.com' },
  ],
}

/** As shown in the form: one driver's settings, by name. */
export type MailboxDraft = {
  enabled: boolean
  driver: MailboxDriver
  settings: Record<string, string>
  rules: AddressRule[]
}

export const NEW_RULE: AddressRule = { categories: [], from: 'number', prefix: '', suffix: '', domain: '' }

export function toDraft({ enabled, settings, rules }: CorporateMailbox): MailboxDraft {
  const driver = settings?.driver ?? 'exmail'
  // Empty means the provider's default host.
  const fields = MAILBOX_FIELDS[driver].map(({ name, standard }) => {
    const value = String(settings?.[name] ?? '')
    return [name, value === standard ? '' : value]
  })
  return { enabled, driver, settings: Object.fromEntries(fields), rules: rules.length > 0 ? rules : [NEW_RULE] }
}

/** The settings as sent, without empty hosts. */
function toSettings({ driver, settings }: MailboxDraft): object {
  const fields = MAILBOX_FIELDS[driver].flatMap(({ name, standard }) => {
    const value = (settings[name] ?? '').trim()
    return value === '' && standard !== undefined ? [] : [[name, value]]
  })
  return { driver, ...Object.fromEntries(fields) }
}

export const isComplete = ({ driver, settings }: MailboxDraft): boolean =>
  MAILBOX_FIELDS[driver].every(({ name, standard }) => standard !== undefined || (settings[name] ?? '').trim() !== '')

/** Rules that can be previewed; null: one lacks its domain. */
export const wholeRules = ({ rules }: MailboxDraft): AddressRule[] | null =>
  rules.every(({ domain }) => domain.includes('.')) ? rules : null

export const loadMailboxes = (signal: AbortSignal): Promise<CorporateMailbox> =>
  call(corporateMailboxDetails, {}, { signal })

export function saveMailboxes({ version }: CorporateMailbox, draft: MailboxDraft): Promise<CorporateMailbox> {
  const body = { version, enabled: draft.enabled, settings: toSettings(draft), rules: draft.rules }
  return call(updateCorporateMailbox, { body } as never)
}

export const checkMailboxes = (draft: MailboxDraft) =>
  call(checkCorporateMailbox, { body: { settings: toSettings(draft), rules: wholeRules(draft) ?? [] } } as never)
