import { validate as isUuid } from 'uuid'
import { isCustomName } from '#shared/contract/field-rules.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import type { Context } from '../../platform/platform.ts'
import { customFieldNames } from '../account-fields/index.ts'
import { listNamesById } from './import-lookups.store.ts'
import { formatDay } from './import-values.rules.ts'

/** Only that they change: an identity document is never shown, and what is deleted has no value. */
export const HIDDEN_FIELDS: readonly string[] = ['idNumber', 'gone']

/** Fields of people by name, as they are stored. */
type Values = Readonly<Record<string, unknown>>

const REFERENCES = ['organizationId', 'categoryId', 'personnelTypeId', 'secondaryOrganizationIds', 'roleIds'] as const

/**
 * Tells a field of these people in words: references and choices by name, contacts masked; empty: no value.
 * @param planned names of what does not exist yet, or only did so for a while
 */
export async function loadValueWords(
  ctx: Context,
  states: readonly Values[],
  planned: ReadonlyMap<string, string> = new Map(),
): Promise<(field: string, values: Values) => string> {
  const ids = new Set(states.flatMap((state) => REFERENCES.flatMap((field) => state[field] ?? [])).filter(isUuid))
  const rows = ids.size > 0 ? await listNamesById(ctx.db, [...ids] as string[], ctx.client.language) : []
  const names = new Map([...planned, ...rows.map(({ id, name }) => [id, name] as const)])
  const isOwn = states.some((state) => Object.keys(state).some(isCustomName))
  const own = isOwn ? await customFieldNames(ctx) : {}
  const nameOf = (field: string, value: string) => {
    const isLost = isReference(field) && isUuid(value) && !names.has(value)
    if (isLost) return ctx.translate(ctx.client.language, 'audit-field.gone')
    return names.get(value) ?? own[`${field}.${value}`] ?? value
  }
  return (field, values) => formatValue(ctx, field, values[field], nameOf)
}

const isReference = (field: string): boolean => REFERENCES.some((one) => one === field)

const FORMATTERS: Readonly<Record<string, (value: string, ctx: Context) => string>> = {
  gender: (value, { translate, client }) => translate(client.language, `person.gender.${value}`),
  phone: maskPhone,
  mailbox: maskMailbox,
  validFrom: (value) => formatDay(new Date(value), false),
  validUntil: (value) => formatDay(new Date(value), true),
}

type NameOf = (field: string, value: string) => string

function formatValue(ctx: Context, field: string, value: unknown, nameOf: NameOf): string {
  if (Array.isArray(value))
    return value.map((one) => nameOf(field, one)).join(ctx.translate(ctx.client.language, 'list.separator'))
  if (typeof value === 'boolean') return ctx.translate(ctx.client.language, value ? 'records.yes' : 'records.no')
  if (typeof value !== 'string' || value === '') return ''
  return FORMATTERS[field]?.(value, ctx) ?? nameOf(field, value)
}
