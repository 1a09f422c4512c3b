import { currentLanguage } from '../../platform/i18n.ts'
import type { Administrator } from './AdministratorFields.tsx'
import { type Draft, EMPTY_MAIL, EMPTY_SMS, parseMail, parseSms, type SmsProvider } from './gateway-drafts.ts'
import type { Institution } from './InstitutionFields.tsx'

export const STEPS = ['administrator', 'institution', 'mail', 'sms'] as const
export type StepName = (typeof STEPS)[number]

/** Everything the wizard has been told so far; nothing of it leaves the page before the end, but for tests. */
export type SetupDraft = {
  administrator: Administrator
  institution: Institution
  mail: Draft
  provider: SmsProvider
  sms: Readonly<Record<SmsProvider, Draft>>
}

export const EMPTY: SetupDraft = {
  administrator: { account: '', name: '', password: '', repeated: '' },
  institution: { name: '', contact: '', logo: null },
  mail: EMPTY_MAIL,
  provider: 'aliyun',
  sms: EMPTY_SMS,
}

/** What the last call sends. */
export function toCompletion({ administrator, institution, ...draft }: SetupDraft, skipped: ReadonlySet<StepName>) {
  const { account, name, password } = administrator
  const inLanguage = (text: string) => (text.trim() ? { [currentLanguage()]: text.trim() } : {})
  return {
    administrator: { account: account.trim(), name: name.trim(), password },
    institution: {
      names: inLanguage(institution.name),
      contacts: inLanguage(institution.contact),
      logo: institution.logo,
    },
    mail: skipped.has('mail') ? null : parseMail(draft.mail).gateway,
    sms: skipped.has('sms') ? null : parseSms(draft.provider, draft.sms[draft.provider]).gateway,
  }
}
