import type { BookSync } from '#shared/contract/address-books.ts'
import type { SyncRow } from '#shared/contract/sync-runs.ts'
import type { Context } from '../../platform/platform.ts'
import { loadValueWords } from '../user-imports/index.ts'
import type { BookPlan } from './book-apply.service.ts'
import { listLinkedDepartments } from './book-links.store.ts'
import type { BookValues } from './book-plan.types.ts'
import type { BookRow } from './book-rows.store.ts'
import { unseal } from './book-world.service.ts'

/** What each of these rows changes or changed there, in words, by its number. */
export async function formatBookChanges(
  ctx: Context,
  { id, roots }: BookSync,
  rows: readonly Pick<BookRow, 'row' | 'kind' | 'outcome' | 'fields' | 'plan'>[],
): Promise<Map<number, SyncRow['changes']>> {
  const plans = rows.flatMap(({ outcome, plan, ...row }) =>
    plan === null || outcome === 'new' ? [] : [{ ...row, ...unseal<BookPlan>(ctx, plan) }],
  )
  const there = new Set(plans.flatMap(({ before }) => before?.departments ?? []))
  const ours = await listLinkedDepartments(ctx.db, id, [...there].map(String))
  const organizationIdOf = new Map(ours.map(({ externalId, localId }) => [Number(externalId), localId]))
  for (const { organizationId, departmentId } of roots) organizationIdOf.set(departmentId, organizationId)
  const sides = plans.map(({ before, after, paths }) => {
    const nameOf = (one: number) => organizationIdOf.get(one) ?? (paths?.[one] ? `${paths[one]} (${one})` : String(one))
    return { before: toHere(before, nameOf), after: toHere(after, nameOf) }
  })
  const wordOf = await loadValueWords(
    ctx,
    sides.flatMap(({ before, after }) => [before, after]),
  )
  const format = (field: string, at: number) => {
    const { before = {}, after = {} } = sides[at] ?? {}
    return { before: wordOf(field, before), after: wordOf(field, after) }
  }
  return new Map(
    plans.map(({ row, kind, fields, after }, at) => [
      row,
      [...new Set(fields)].map((field) =>
        after?.isDeleted
          ? { field: 'gone', values: null }
          : { field: shownField(kind, field), values: format(field, at) },
      ),
    ]),
  )
}

const shownField = (kind: BookRow['kind'], field: string): string =>
  kind === 'department' && field === 'organizationId' ? 'parentId' : field

/** By the names that fields have here. */
function toHere(values: BookValues | null, nameOf: (department: number) => string): Record<string, unknown> {
  const { name, mobile, email, departments, organizationId, isDisabled } = values ?? {}
  return {
    name,
    phone: mobile,
    mailbox: email,
    organizationId: organizationId ?? departments?.map(nameOf),
    enabled: isDisabled === undefined ? undefined : !isDisabled,
  }
}
