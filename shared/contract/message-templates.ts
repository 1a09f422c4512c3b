import { z } from 'zod'
import { MESSAGE_PARTS, MESSAGE_TEMPLATES } from '../rules/message-templates.ts'
import { Empty, get, Language, post } from './endpoint.ts'
import { MAX_TEXT_LENGTH, WordingText } from './languages.ts'
import { TestResult } from './message-gateways.ts'
import { MESSAGE_CHANNELS } from './message-routes.ts'

const TemplateName = z.enum(MESSAGE_TEMPLATES)
const Part = z.enum(MESSAGE_PARTS)

/** Links can't be sent by a provider's template. */
const PROVIDER_TEMPLATES = MESSAGE_TEMPLATES.filter((name) => !name.startsWith('link.'))
const ProviderTemplateName = z.enum(PROVIDER_TEMPLATES as [(typeof PROVIDER_TEMPLATES)[number]])

/** The provider's approval of a template; a rejected one is not used. */
export const SMS_APPROVALS = ['unknown', 'approved', 'rejected'] as const

/** The provider's template for one message in one language. */
const SmsTemplate = z.strictObject({
  /** The provider it belongs to; ignored if another one sends. */
  provider: z.enum(['aliyun', 'tencent']),
  id: z.string().trim().min(1).max(50),
  /** Our values: by name for Aliyun, by order for Tencent. */
  values: z.array(z.string().max(40)).max(10),
  approval: z.enum(SMS_APPROVALS).default('unknown'),
})
export type SmsTemplate = z.infer<typeof SmsTemplate>

/**
 * Settings document `smsTemplates`: without an entry, the templates of the provider's settings apply to all codes and
 * all notices.
 */
export const SmsTemplates = z.partialRecord(ProviderTemplateName, z.record(Language, SmsTemplate))
export type SmsTemplates = z.infer<typeof SmsTemplates>

const MessageTemplate = z.object({
  name: TemplateName,
  /** The keys of its texts. */
  texts: z.record(Part, z.string()),
  /** The key of its subject in a few words, `{{event}}`. */
  event: z.string(),
  /** Other messages with the same texts. */
  sharedWith: z.array(TemplateName),
  /** Parts set by the settings document `message-templates`, regardless of the texts. */
  fixed: z.array(z.object({ language: Language, part: Part })),
  /** The values that a provider's template may use; none: no such template can carry this message. */
  providerValues: z.array(z.string()),
})
export type MessageTemplate = z.infer<typeof MessageTemplate>

const SmsState = z.object({
  /** The SMS provider; only the first two have templates. */
  provider: z.enum(['aliyun', 'tencent', 'gateway']).nullable(),
  /** The provider's templates for all codes and for all notices. */
  general: z.object({ code: z.string().nullable(), notice: z.string().nullable() }),
  version: z.number().int(),
  templates: SmsTemplates,
  /** Messages whose templates the bootstrap file sets. */
  setByFile: z.array(z.string()),
})

const MessageTemplateList = z.object({
  templates: z.array(MessageTemplate),
  /** All texts of messages, including the footer of mails. */
  texts: z.array(WordingText),
  sms: SmsState,
  /** The channels by which a test can reach the caller. */
  channels: z.array(
    z.object({ channel: z.enum(MESSAGE_CHANNELS), isConfigured: z.boolean(), hasAddress: z.boolean() }),
  ),
})
export type MessageTemplateList = z.infer<typeof MessageTemplateList>

export const listMessageTemplates = get('/message_templates/list/', 'superUser', Empty, MessageTemplateList, {
  summary:
    'Every message that the product sends, with its texts in all languages and the templates of the SMS provider',
})

const MessagePreview = z.object({
  school: z.string(),
  subject: z.string(),
  /** The mail as plain text; the HTML mail is at /auth_web/preview/{token}/message/{name}. */
  text: z.string(),
  /** Also sent by WeCom, DingTalk and the institution's own platform. */
  sms: z.string(),
  /** The provider's template of a text message, with its values; null: the text itself is sent. */
  provider: z
    .object({ id: z.string().nullable(), values: z.array(z.object({ name: z.string(), value: z.string() })) })
    .nullable(),
})
export type MessagePreview = z.infer<typeof MessagePreview>

export const previewMessageTemplate = post(
  '/message_templates/preview/',
  'superUser',
  z.strictObject({
    name: TemplateName,
    language: Language,
    /** Unsaved texts, by key. */
    texts: z.record(z.string().max(150), z.string().max(MAX_TEXT_LENGTH)).default({}),
  }),
  MessagePreview,
  { summary: 'A preview of a message, with sample values', errors: ['language.not-found'] },
)

export const testMessageTemplate = post(
  '/message_templates/test/',
  'superUser',
  z.strictObject({ name: TemplateName, language: Language, channel: z.enum(MESSAGE_CHANNELS) }),
  TestResult,
  {
    summary: 'Send a message with its saved texts and sample values to the caller',
    errors: ['language.not-found', 'message.channel-unavailable', 'message-template.no-address', 'message.too-many'],
  },
)

export const saveSmsTemplate = post(
  '/message_templates/save_sms/',
  'superUser',
  z.strictObject({
    version: z.number().int().min(0),
    name: ProviderTemplateName,
    language: Language,
    /** Null: that of the provider's settings. */
    template: SmsTemplate.nullable(),
  }),
  SmsState,
  {
    summary: 'Change the SMS template of a message in a language; a conflict returns the stored document as `current`',
    errors: [
      'language.not-found',
      'message-template.unknown-value',
      'message-template.code-needed',
      'version.conflict',
      'settings.set-by-file',
    ],
  },
)
