import type { MessageTemplateList, SmsTemplates, saveSmsTemplate } from '#shared/contract/message-templates.ts'
import { providerValues, templateKind } from '#shared/rules/message-templates.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { findSettingsDocument } from '../../platform/settings.ts'
import { errors as languageErrors } from '../languages/index.ts'
import { findSmsGateway } from '../messages/index.ts'
import { editSettings } from '../settings/index.ts'
import { errors } from './message-templates.errors.ts'

const DOCUMENT = 'smsTemplates'

export async function describeSms(ctx: Context): Promise<MessageTemplateList['sms']> {
  const [gateway, { value, version, fileKeys }] = [
    await findSmsGateway(ctx),
    await findSettingsDocument(ctx.db, DOCUMENT),
  ]
  const hasTemplates = gateway !== null && gateway.provider !== 'gateway'
  return {
    provider: gateway?.provider ?? null,
    general: {
      code: hasTemplates ? gateway.codeTemplate : null,
      notice: hasTemplates ? gateway.noticeTemplate : null,
    },
    version,
    templates: value as SmsTemplates,
    setByFile: fileKeys,
  }
}

type Change = Input<typeof saveSmsTemplate>['body']

/**
 * @throws Refusal `language.not-found`, `message-template.unknown-value`, `message-template.code-needed`, `settings.set-by-file`,
 *   `version.conflict` with what is stored now.
 */
export async function changeSmsTemplate(ctx: Context, change: Change): Promise<MessageTemplateList['sms']> {
  checkChange(ctx, change)
  const { name, language, template, version } = change
  return await transaction(ctx, async (inner) => {
    const stored = (await describeSms(inner)).templates[name] ?? {}
    const { [language]: _, ...others } = stored
    const after = template === null ? others : { ...others, [language]: template }
    const isEmpty = Object.keys(after).length === 0
    const edit = { version, changes: isEmpty ? {} : { [name]: after }, reset: isEmpty ? [name] : [] }
    const isSaved = await editSettings(inner, DOCUMENT, edit)
    const current = await describeSms(inner)
    if (!isSaved) throw common['version.conflict']({ data: { current } })
    return current
  })
}

function checkChange({ wording }: Context, { name, language, template }: Change): void {
  if (!wording.languages().some(({ code }) => code === language)) throw languageErrors['language.not-found']()
  if (template === null) return
  const known = providerValues(name)
  const unknown = template.values.find((value) => !known.includes(value))
  if (unknown !== undefined)
    throw errors['message-template.unknown-value']({
      params: { name: unknown, known: known.join(', ') },
      data: { fields: ['template.values'] },
    })
  if (templateKind(name) === 'code' && !template.values.includes('code'))
    throw errors['message-template.code-needed']({ data: { fields: ['template.values'] } })
}
