import type { Administrator } from './AdministratorFields.tsx'
import { type Draft, EMPTY_MAIL, EMPTY_SMS, parseMail, parseSms, type SmsProvider } from './gateway-drafts.ts'
import type { Institution } from './InstitutionFields.tsx'

export const STEPS = ['administrator', 'institution', 'mail', 'sms'] as const
export type StepName = (typeof STEPS)[number]

/** The wizard's input; apart from tests nothing is sent before the end. */
export type SetupDraft = {
  administrator: Administrator
  institution: Institution
  mail: Draft
  provider: SmsProvider
  sms: Readonly<Record<SmsProvider, Draft>>
}

export const EMPTY: SetupDraft = {
  administrator: { account: '', name: '', password: '', repeated: '' },
  institution: { names: {}, contacts: {} },
  mail: EMPTY_MAIL,
  provider: 'aliyun',
  sms: EMPTY_SMS,
}

/** The texts without empty ones. */
export const givenTexts = (texts: Institution['names']): Institution['names'] =>
  Object.fromEntries(
    Object.entries(texts)
      .map(([language, text]) => [language, text.trim()])
      .filter(([, text]) => text),
  )

/** The body of the final call. */
export function toCompletion({ administrator, institution, ...draft }: SetupDraft, skipped: ReadonlySet<StepName>) {
  const { account, name, password } = administrator
  return {
    administrator: { account: account.trim(), name: name.trim(), password },
    institution: {
      names: givenTexts(institution.names),
      contacts: givenTexts(institution.contacts),
      logo: institution.logo ?? null,
    },
    mail: skipped.has('mail') ? null : parseMail(draft.mail).gateway,
    sms: skipped.has('sms') ? null : parseSms(draft.provider, draft.sms[draft.provider]).gateway,
  }
}
