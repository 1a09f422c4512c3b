import type { Context } from '../../platform/platform.ts'
import { setDirectRoles } from '../roles/index.ts'
import { listRolesByPerson } from './user-imports.store.ts'

export type RolesInput = { userId: string; roleIds: string[] }
/** Role names before and after, for a person whose roles change. */
export type RolesChange = { before: string[]; after: string[] }

const isSameSet = (a: readonly string[], b: readonly string[]): boolean => a.toSorted().join() === b.toSorted().join()

/** Gives people exactly these roles; with `dryRun` reports whose would change. */
export async function saveRoles(
  ctx: Context,
  wanted: readonly RolesInput[],
  dryRun: boolean,
): Promise<Map<string, RolesChange>> {
  if (wanted.length === 0) return new Map()
  const ids = wanted.map(({ userId }) => userId)
  const present = new Map((await listRolesByPerson(ctx.db, ids)).map((row) => [row.userId, row.roleIds]))
  const changes = wanted.flatMap(({ userId, roleIds }) => {
    const before = present.get(userId) ?? []
    return isSameSet(before, roleIds) ? [] : [[userId, { before, after: roleIds }] as const]
  })
  if (!dryRun && changes.length > 0) {
    await setDirectRoles(
      ctx,
      changes.map(([userId, { after }]) => ({ userId, roleIds: after })),
    )
  }
  return new Map(changes)
}

type RolesUndo = { userId: string; roles: RolesChange }

/** Restores roles that are still as the import set them. @returns the people for whom that was possible. */
export async function restoreRoles(ctx: Context, rows: readonly RolesUndo[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const ids = rows.map(({ userId }) => userId)
  const present = new Map((await listRolesByPerson(ctx.db, ids)).map((row) => [row.userId, row.roleIds]))
  const untouched = rows.filter(({ userId, roles }) => isSameSet(present.get(userId) ?? [], roles.after))
  await setDirectRoles(
    ctx,
    untouched.map(({ userId, roles }) => ({ userId, roleIds: roles.before })),
  )
  return new Set(untouched.map(({ userId }) => userId))
}
