import type { Language } from '#shared/contract/endpoint.ts'
import type { SmsGateway } from '#shared/contract/message-gateways.ts'
import { type SmsTemplate, SmsTemplates } from '#shared/contract/message-templates.ts'
import { type TemplateName, templateKind } from '#shared/rules/message-templates.ts'
import type { Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { findSmsGateway } from './gateways.service.ts'

/** A provider that accepts only its own templates. */
type TemplateProvider = Extract<SmsGateway, { codeTemplate: string }>

type TemplateKey = { template: TemplateName; language: Language }

/**
 * The provider template for a message: its own one in its language, or in the fallback of that language, else the one for all of its kind.
 * Null: there is none.
 */
export async function findSmsTemplate(
  platform: Platform,
  provider: TemplateProvider,
  { template, language }: TemplateKey,
): Promise<{ template: string; values: string[] } | null> {
  const own = await findOwnTemplates(platform, provider, template)
  const one = own[language] ?? own[platform.wording.baseOf(language)]
  if (one) return { template: one.id, values: one.values }
  const isCode = templateKind(template) === 'code'
  const id = isCode ? provider.codeTemplate : provider.noticeTemplate
  return id === null ? null : { template: id, values: isCode ? provider.codeValues : provider.noticeValues }
}

/** The usable ones of one message, by language. */
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

/** Whether a notice is also sent by text message: some providers need an approved template. */
export async function canTextNotice(platform: Platform, template: TemplateName): Promise<boolean> {
  const gateway = await findSmsGateway(platform)
  if (gateway === null || gateway.provider === 'gateway' || gateway.noticeTemplate !== null) return true
  return Object.keys(await findOwnTemplates(platform, gateway, template)).length > 0
}
