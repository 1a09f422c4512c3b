import type { Language } from '#shared/contract/endpoint.ts'
import type { SmsGateway } from '#shared/contract/message-gateways.ts'
import { type SmsTemplate, SmsTemplates } from '#shared/contract/message-templates.ts'
import { type TemplateName, templateKind } from '#shared/rules/message-templates.ts'
import type { Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { findSmsGateway } from './gateways.service.ts'

/** A provider that sends nothing but templates of its own. */
type TemplateProvider = Extract<SmsGateway, { codeTemplate: string }>

type Wanted = { template: TemplateName; language: Language }

/**
 * The template of the provider that a message goes by: the one of the message in its language, or in the language that this one falls
 * back to, else the one for all of its kind. Null: there is none.
 */
export async function findSmsTemplate(
  platform: Platform,
  provider: TemplateProvider,
  { template, language }: Wanted,
): Promise<{ template: string; values: string[] } | null> {
  const own = await findOwnTemplates(platform, provider, template)
  const one = own[language] ?? own[platform.wording.baseOf(language)]
  if (one) return { template: one.id, values: one.values }
  const isCode = templateKind(template) === 'code'
  const id = isCode ? provider.codeTemplate : provider.noticeTemplate
  return id === null ? null : { template: id, values: isCode ? provider.codeValues : provider.noticeValues }
}

/** Those of one message that can be used, by language. */
async function findOwnTemplates(
  platform: Platform,
  { provider }: TemplateProvider,
  template: TemplateName,
): Promise<Readonly<Record<Language, SmsTemplate>>> {
  const all: Readonly<Record<string, Record<Language, SmsTemplate>>> = await readSettings(
    platform,
    'smsTemplates',
    SmsTemplates,
  )
  const usable = Object.entries(all[template] ?? {}).filter(
    ([, one]) => one.provider === provider && one.approval !== 'rejected',
  )
  return Object.fromEntries(usable)
}

/** Whether a notice goes out by text message too: some providers need an approved template for it. */
export async function canTextNotice(platform: Platform, template: TemplateName): Promise<boolean> {
  const gateway = await findSmsGateway(platform)
  if (gateway === null || gateway.provider === 'gateway' || gateway.noticeTemplate !== null) return true
  return Object.keys(await findOwnTemplates(platform, gateway, template)).length > 0
}
