import { z } from 'zod'
import { MESSAGE_PARTS, MESSAGE_TEMPLATES } from '../rules/message-templates.ts'
import { Empty, get, Language, post } from './endpoint.ts'
import { MAX_TEXT_LENGTH, WordingText } from './languages.ts'
import { TestResult } from './message-gateways.ts'
import { MESSAGE_CHANNELS } from './message-routes.ts'

const TemplateName = z.enum(MESSAGE_TEMPLATES)
const Part = z.enum(MESSAGE_PARTS)

/** Links go by no template of a provider. */
const PROVIDER_TEMPLATES = MESSAGE_TEMPLATES.filter((name) => !name.startsWith('link.'))
const ProviderTemplateName = z.enum(PROVIDER_TEMPLATES as [(typeof PROVIDER_TEMPLATES)[number]])

/** What the provider has said of a template; one that is rejected is not used. */
export const SMS_APPROVALS = ['unknown', 'approved', 'rejected'] as const

/** The template of a provider that stands for one message in one language. */
const SmsTemplate = z.strictObject({
  /** Whose it is: when another provider sends, it means nothing. */
  provider: z.enum(['aliyun', 'tencent']),
  id: z.string().trim().min(1).max(50),
  /** Our values: by their names with Aliyun, by their order with Tencent. */
  values: z.array(z.string().max(40)).max(10),
  approval: z.enum(SMS_APPROVALS).default('unknown'),
})
export type SmsTemplate = z.infer<typeof SmsTemplate>

/** Settings document `smsTemplates`: where it has none, the templates of the provider's settings stand for all codes and all notices. */
export const SmsTemplates = z.partialRecord(ProviderTemplateName, z.record(Language, SmsTemplate))
export type SmsTemplates = z.infer<typeof SmsTemplates>

const MessageTemplate = z.object({
  name: TemplateName,
  /** The keys of its texts. */
  texts: z.record(Part, z.string()),
  /** The key of what it is about in a few words, `{{event}}`. */
  event: z.string(),
  /** Other messages with the same texts. */
  sharedWith: z.array(TemplateName),
  /** Parts that the settings document `message-templates` words, whatever the texts say. */
  fixed: z.array(z.object({ language: Language, part: Part })),
  /** Names that a template of a provider may use; none: no such template can carry this message. */
  providerValues: z.array(z.string()),
})
export type MessageTemplate = z.infer<typeof MessageTemplate>

const SmsState = z.object({
  /** Who sends text messages; only the first two have templates of their own. */
  provider: z.enum(['aliyun', 'tencent', 'gateway']).nullable(),
  /** The provider's templates that stand for all codes and for all notices. */
  general: z.object({ code: z.string().nullable(), notice: z.string().nullable() }),
  version: z.number().int(),
  templates: SmsTemplates,
  /** Messages whose templates the bootstrap file sets. */
  setByFile: z.array(z.string()),
})

const MessageTemplateList = z.object({
  templates: z.array(MessageTemplate),
  /** All texts that messages are made of, the line below each mail among them. */
  texts: z.array(WordingText),
  sms: SmsState,
  /** By what a test can go to whoever asks. */
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
  /** The mail for readers without HTML; with it the mail is at /auth_web/preview/{token}/message/{name}. */
  text: z.string(),
  /** Also what WeCom, DingTalk and the institution's own platform are given. */
  sms: z.string(),
  /** The template of the provider that a text message goes by, with its values; null: the text itself is sent. */
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
    /** Texts that are not saved yet, by key. */
    texts: z.record(z.string().max(150), z.string().max(MAX_TEXT_LENGTH)).default({}),
  }),
  MessagePreview,
  { summary: 'A message as it would arrive, with sample values', errors: ['language.not-found'] },
)

export const testMessageTemplate = post(
  '/message_templates/test/',
  'superUser',
  z.strictObject({ name: TemplateName, language: Language, channel: z.enum(MESSAGE_CHANNELS) }),
  TestResult,
  {
    summary: 'Sends a message as it is worded, with sample values, to the caller',
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
    /** Null: those of the provider's settings. */
    template: SmsTemplate.nullable(),
  }),
  SmsState,
  {
    summary:
      'Which template of the SMS provider stands for a message in a language; on a conflict the answer has what is stored by now as `current`',
    errors: [
      'language.not-found',
      'message-template.unknown-value',
      'message-template.code-needed',
      'version.conflict',
      'settings.set-by-file',
    ],
  },
)
