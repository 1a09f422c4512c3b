import { validate as isUuid } from 'uuid'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import type { Context } from '../../platform/platform.ts'
import { listNamesById } from './import-lookups.store.ts'
import { formatDay } from './import-values.rules.ts'

/** Fields of people by name, as they are stored. */
type Values = Readonly<Record<string, unknown>>

const REFERENCES = ['organizationId', 'categoryId', 'personnelNatureId', 'secondaryOrganizationIds', 'roleIds'] as const

/** Tells a field of these people in words: references by name, contacts masked; empty: no value. */
export async function loadValueWords(
  ctx: Context,
  states: readonly Values[],
): Promise<(field: string, values: Values) => string> {
  const ids = new Set(states.flatMap((state) => REFERENCES.flatMap((field) => state[field] ?? [])).filter(isUuid))
  const rows = ids.size > 0 ? await listNamesById(ctx.db, [...ids] as string[], ctx.client.language) : []
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const nameOf = (value: string) => names.get(value) ?? value
  return (field, values) => formatValue(ctx, field, values[field], nameOf)
}

const FORMATTERS: Readonly<Record<string, (value: string, ctx: Context) => string>> = {
  gender: (value, { translate, client }) => translate(client.language, `person.gender.${value}`),
  phone: maskPhone,
  mailbox: maskMailbox,
  validFrom: (value) => formatDay(new Date(value), false),
  validUntil: (value) => formatDay(new Date(value), true),
}

function formatValue(ctx: Context, field: string, value: unknown, nameOf: (id: string) => string): string {
  if (Array.isArray(value)) return value.map(nameOf).join(', ')
  if (typeof value === 'boolean') return ctx.translate(ctx.client.language, value ? 'records.yes' : 'records.no')
  if (typeof value !== 'string' || value === '') return ''
  return FORMATTERS[field]?.(value, ctx) ?? nameOf(value)
}
