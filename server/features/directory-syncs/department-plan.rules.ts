import { v7 } from 'uuid'
import { Code, EntryName, type OrganizationField } from '#shared/contract/organizations.ts'
import {
  DEPARTMENT_FIELDS,
  type DepartmentField,
  type DepartmentSyncFields,
} from '#shared/contract/sync-departments.ts'
import { mapInSlices } from '../../platform/slices.ts'
import type { FieldOwner } from '../field-authority/index.ts'
import type { BulkOrganization } from '../organizations/index.ts'
import type { DepartmentLink } from './department-links.store.ts'
import { placeDepartments } from './department-tree.rules.ts'
import {
  type DepartmentPlan,
  type DepartmentRow,
  type DepartmentValues,
  type DepartmentWorld,
  departmentProblem,
  isOwned,
  type Known,
  leftTo,
  type Placed,
} from './departments.types.ts'
import type { Problem } from './rows.store.ts'

/** Plans all rows together, because departments refer to parents in the same source. Writes nothing. */
export async function planDepartments(
  rows: readonly DepartmentRow[],
  world: DepartmentWorld,
  options: DepartmentSyncFields,
): Promise<DepartmentPlan[]> {
  const known = indexWorld(world)
  const repeatedCodes = repeatedOf(rows.map(({ values }) => values.code ?? ''))
  const first = await mapInSlices(rows, (row): Placed => {
    const { problems, isBroken } = ownProblems(row, rows, world, repeatedCodes)
    const found = identify(row, known, options)
    const isConflict = problems.length === 0 && found.problem !== null
    return {
      ...{ row, isBroken, isConflict },
      id: found.id ?? row.organizationId ?? v7(),
      isNew: found.id === null,
      problems: isConflict && found.problem ? [found.problem] : problems,
      parentId: null,
    }
  })
  const placed = await placeDepartments(first, known, options)
  return await mapInSlices(placed, (one) => toPlan(one, known))
}

export const indexWorld = ({ organizations, links, owners }: DepartmentWorld): Known => ({
  owners,
  byId: new Map(organizations.map((one) => [one.id, one])),
  byCode: new Map(organizations.map((one) => [one.code, one])),
  linkOf: new Map(links.map((one) => [one.externalId, one])),
  keyOf: new Map(links.map((one) => [one.organizationId, one.externalId])),
})

type Agreeing = {
  world: DepartmentWorld
  known: Known
  options: DepartmentSyncFields
  roots: ReadonlyMap<string, string | null>
}

const NONE: ReadonlySet<string> = new Set()

/** A department that is as its row says, or as another sync does. */
export type Agreed = { organizationId: string; problems: readonly Problem[] }

/** The linked department that is just as this row says; null: there is none, or the row has problems. */
export function agreeingDepartment(
  read: Pick<DepartmentRow, 'externalId' | 'parentKey' | 'values' | 'problems'>,
  { world, known, options, roots }: Agreeing,
): Agreed | null {
  const row: DepartmentRow = { ...read, row: 0, outcome: null, organizationId: null }
  const link = known.linkOf.get(row.externalId)
  const current = known.byId.get(link?.organizationId ?? '')
  if (!link || !current || link.takenVersion !== null) return null
  if (ownProblems(row, [], world, NONE).problems.length > 0 || identify(row, known, options).problem) return null
  const parentId = roots.has(row.parentKey) ? roots.get(row.parentKey) : known.linkOf.get(row.parentKey)?.organizationId
  // The plan checks circles, repeated codes and missing parents in what rows say, also where another sync's values stay.
  if (parentId !== current.parentId || row.values.code !== current.code) return null
  const { values, left } = desiredValues(row, { parentId, current, link, owners: known.owners.get(current.id) })
  return changedFields(values, current).length === 0 ? { organizationId: current.id, problems: left } : null
}

/** What a run would leave to other syncs of the department that a row is about, wherever the row places it. */
export function listLeft(
  { externalId, values }: Pick<DepartmentRow, 'externalId' | 'values'>,
  known: Known,
): Problem[] {
  const link = known.linkOf.get(externalId)
  const current = link ? known.byId.get(link.organizationId) : known.byCode.get(values.code ?? '')
  if (!current) return []
  const { id, parentId } = current
  return desiredValues({ values }, { parentId, current, link, owners: known.owners.get(id) }).left
}

function repeatedOf(words: readonly string[]): Set<string> {
  const seen = new Set<string>()
  return new Set(words.filter((word) => word !== '' && (seen.has(word) || !seen.add(word))))
}

type Found = { problems: Problem[]; isBroken: boolean }

function ownProblems(
  row: DepartmentRow,
  rows: readonly DepartmentRow[],
  { attributes }: DepartmentWorld,
  repeatedCodes: ReadonlySet<string>,
): Found {
  // Found while reading: no key, or a repeated one.
  if (row.outcome === 'bad') return { problems: [keyProblem(row, rows)], isBroken: true }
  const { code = '' } = row.values
  const problems = [
    ...row.problems,
    ...DEPARTMENT_FIELDS.flatMap((field) => valueProblem(field, row.values[field] ?? '', attributes) ?? []),
  ]
  if (Code.safeParse(code).success && repeatedCodes.has(code))
    problems.push(departmentProblem('repeated-code', { code }))
  return { problems, isBroken: false }
}

type Attributes = DepartmentWorld['attributes']
const CHECKS: Readonly<Record<DepartmentField, (value: string, attributes: Attributes) => Problem | null>> = {
  name: (name) => (EntryName.safeParse(name).success ? null : departmentProblem(name === '' ? 'no-name' : 'bad-name')),
  code: (code) => (Code.safeParse(code).success ? null : departmentProblem('bad-code', { code })),
  attribute: (attribute, attributes) =>
    attribute === '' || attributes.has(attribute) ? null : departmentProblem('no-attribute', { attribute }),
  order: (order) => (/^\d{0,9}$/.test(order) ? null : departmentProblem('bad-order', { order })),
}

/** What is wrong with a value of a department, whatever the others are. */
export const valueProblem = (field: DepartmentField, value: string, attributes: Attributes): Problem | null =>
  CHECKS[field](value, attributes)

function keyProblem(row: DepartmentRow, rows: readonly DepartmentRow[]): Problem {
  if (row.externalId === '') return { key: 'directory-sync-problem.no-key' }
  const parents = new Set(rows.filter((one) => one.externalId === row.externalId).map(({ parentKey }) => parentKey))
  return parents.size > 1 ? departmentProblem('two-parents') : { key: 'directory-sync-problem.repeated-key' }
}

/** Finds the department of a row: by its link, else by its code. */
function identify(row: DepartmentRow, known: Known, { matchByCode }: DepartmentSyncFields) {
  const link = known.linkOf.get(row.externalId)
  const { code = '' } = row.values
  const same = known.byCode.get(code)
  const isTaken = same !== undefined && same.id !== link?.organizationId
  const conflict = (key: string) => ({
    id: link?.organizationId ?? null,
    problem: departmentProblem(key, { code }),
  })
  if (link) {
    // The holder of this code is linked too and may get another one: decided when the plan is complete.
    if (isTaken && !known.keyOf.has(same.id) && !isOwned(known, link.organizationId, 'code'))
      return conflict('code-taken')
    return known.byId.get(link.organizationId)?.isEnding
      ? conflict('ending')
      : { id: link.organizationId, problem: null }
  }
  if (!same) return { id: null, problem: null }
  if (known.keyOf.has(same.id)) return conflict('linked-already')
  if (!matchByCode) return conflict('code-taken')
  return same.isEnding ? conflict('ending') : { id: same.id, problem: null }
}

const CHANGEABLE = ['name', 'code', 'attribute', 'parentId', 'position', 'enabled'] as const

const changedFields = (desired: DepartmentValues, current: BulkOrganization) =>
  CHANGEABLE.filter((field) => desired[field] !== current[field])

function toPlan({ row, id, isNew, isConflict, isBroken, problems, parentId }: Placed, known: Known): DepartmentPlan {
  const base = { row: row.row, externalId: row.externalId, before: null, after: null, problems, isBroken }
  if (problems.length > 0)
    return { ...base, outcome: isConflict ? 'conflict' : 'bad', organizationId: isNew ? null : id }
  const current = known.byId.get(id)
  const link = known.linkOf.get(row.externalId)
  const { values: desired, left } = desiredValues(row, { parentId, current, link, owners: known.owners.get(id) })
  if (!current) return { ...base, outcome: 'new', organizationId: id, after: desired }
  const changed = changedFields(desired, current)
  if (changed.length === 0) return { ...base, outcome: 'unchanged', organizationId: id, problems: left }
  const pick = (values: DepartmentValues) => Object.fromEntries(changed.map((field) => [field, values[field]]))
  const outcome = changed.includes('parentId') ? 'moved' : 'changed'
  return { ...base, outcome, organizationId: id, before: pick(current), after: pick(desired), problems: left }
}

type Here = {
  parentId: string | null
  current: BulkOrganization | undefined
  link: DepartmentLink | undefined
  owners: readonly FieldOwner<OrganizationField>[] | undefined
}

/**
 * What the row makes of a department: fields of syncs with precedence stay as they are, and where the row says something else of them,
 * `left` says so. A department that this sync disabled is enabled, unless somebody changed it since.
 */
function desiredValues(
  { values: { name = '', code = '', attribute = '', order = '' } }: Pick<DepartmentRow, 'values'>,
  { parentId, current, link, owners = [] }: Here,
): { values: DepartmentValues; left: Problem[] } {
  const position = order ? Number(order) : null
  if (!current)
    return { values: { name, code, parentId, attribute: attribute || null, position, enabled: true }, left: [] }
  const said = {
    name,
    code,
    parentId,
    attribute: attribute || current.attribute,
    position: position ?? current.position,
  }
  const kept = Object.fromEntries(owners.map(({ field }) => [field, current[field]]))
  const values = { ...said, ...kept }
  const isMoved = values.parentId !== current.parentId
  const isBack = link !== undefined && link.takenVersion !== null && link.takenVersion === current.version
  return {
    values: { ...values, position: isMoved ? position : values.position, enabled: isBack || current.enabled },
    left: owners.filter(({ field }) => said[field] !== current[field]).map(leftTo),
  }
}
