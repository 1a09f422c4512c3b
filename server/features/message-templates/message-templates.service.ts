import type { MessageTemplate, MessageTemplateList } from '#shared/contract/message-templates.ts'
import { MESSAGE_PARTS, MESSAGE_TEMPLATES, providerValues, type TemplateName } from '#shared/rules/message-templates.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { listTextsLike } from '../languages/index.ts'
import { addressOf, describeChannels, findRecipients, MessageTemplates, templateTextKey } from '../messages/index.ts'
import { describeSms } from './sms-settings.service.ts'

/** Not sent by anything yet: editing its text would have no effect. */
const UNUSED: readonly TemplateName[] = ['notice.new-device']
const SENT = MESSAGE_TEMPLATES.filter((name) => !UNUSED.includes(name))

export async function describeTemplates(ctx: Context): Promise<MessageTemplateList> {
  const document = await readSettings(ctx, 'message-templates', MessageTemplates)
  const fixedOf = (name: TemplateName): MessageTemplate['fixed'] =>
    Object.entries(document[name] ?? {}).flatMap(([language, own]) =>
      MESSAGE_PARTS.filter((part) => own[part] !== undefined).map((part) => ({ language, part })),
    )
  return {
    templates: SENT.map((name) => ({
      name,
      texts: {
        subject: templateTextKey(name, 'subject'),
        text: templateTextKey(name, 'text'),
        sms: templateTextKey(name, 'sms'),
      },
      event: `message.event.${name}`,
      sharedWith: SENT.filter((one) => one !== name && templateTextKey(one, 'text') === templateTextKey(name, 'text')),
      fixed: fixedOf(name),
      providerValues: name.startsWith('link.') ? [] : providerValues(name),
    })),
    texts: listTextsLike(ctx, /^message\./).filter(({ key }) => !UNUSED.some((name) => key.endsWith(`.${name}`))),
    sms: await describeSms(ctx),
    channels: await findTestChannels(ctx),
  }
}

/** The channels by which a test message could reach the caller. */
async function findTestChannels(ctx: Context): Promise<MessageTemplateList['channels']> {
  const { userId } = callerOf(ctx)
  const [states, people] = [await describeChannels(ctx), await findRecipients(ctx, [userId])]
  const person = people.get(userId)
  return states.map(({ channel, isConfigured }) => ({
    channel,
    isConfigured,
    hasAddress: person !== undefined && Boolean(addressOf(person, channel, false)),
  }))
}
