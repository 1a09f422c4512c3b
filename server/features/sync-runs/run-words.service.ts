import type { Language } from '#shared/contract/endpoint.ts'
import { customName, isCustomName } from '#shared/contract/field-rules.ts'
import type { Context } from '../../platform/platform.ts'
import { customFields } from '../account-fields/index.ts'

/** Why a run failed, with the detail that the source or the vendor gave, before the full stop. */
export function describeFailure(ctx: Context, language: Language, { key, words }: { key: string; words: string }) {
  const message = ctx.translate(language, key)
  if (!words) return message
  const stop = /[.。]$/.exec(message)?.[0] ?? ''
  const detail = language.startsWith('zh') ? `（${words}）` : ` (${words})`
  return message.slice(0, message.length - stop.length) + detail + stop
}

type FieldName = (field: string, isOfDepartment: boolean) => string

/** Fields as they are called here, custom ones by their own names. */
export async function loadFieldNames(ctx: Context, language: Language): Promise<FieldName> {
  const custom = await customFields(ctx)
  return (field, isOfDepartment) => {
    const own = custom.find(({ key }) => customName(key) === field)
    if (own) return own.names[language] ?? own.name
    if (field === 'name' && !isOfDepartment) return ctx.translate(language, 'person-field.name')
    return ctx.translate(language, isCustomName(field) ? 'sync-field.deleted' : `sync-field.${field}`)
  }
}
