import type { Context } from '../../platform/platform.ts'
import { setRolesOfPeople } from '../roles/index.ts'
import { rolesByPerson } from './user-imports.store.ts'

export type Wanted = { userId: string; roleIds: string[] }
/** Roles by name, before and after, of somebody whose roles are others. */
export type RoleChange = { before: string[]; after: string[] }

const same = (a: readonly string[], b: readonly string[]): boolean => a.toSorted().join() === b.toSorted().join()

/** Gives people exactly these roles, or with `dryRun` tells whose would change. */
export async function saveRoles(
  ctx: Context,
  wanted: readonly Wanted[],
  dryRun: boolean,
): Promise<Map<string, RoleChange>> {
  if (wanted.length === 0) return new Map()
  const ids = wanted.map(({ userId }) => userId)
  const present = new Map((await rolesByPerson(ctx.db, ids)).map((row) => [row.userId, row.roleIds]))
  const changes = wanted.flatMap(({ userId, roleIds }) => {
    const before = present.get(userId) ?? []
    return same(before, roleIds) ? [] : [[userId, { before, after: roleIds }] as const]
  })
  if (!dryRun && changes.length > 0) {
    await setRolesOfPeople(
      ctx,
      changes.map(([userId, { after }]) => ({ userId, roleIds: after })),
    )
  }
  return new Map(changes)
}

type Undoing = { userId: string; roles: RoleChange }

/** Puts roles back where they are what the import made of them. @returns the people it could be done for. */
export async function putRolesBack(ctx: Context, rows: readonly Undoing[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const ids = rows.map(({ userId }) => userId)
  const present = new Map((await rolesByPerson(ctx.db, ids)).map((row) => [row.userId, row.roleIds]))
  const untouched = rows.filter(({ userId, roles }) => same(present.get(userId) ?? [], roles.after))
  await setRolesOfPeople(
    ctx,
    untouched.map(({ userId, roles }) => ({ userId, roleIds: roles.before })),
  )
  return new Set(untouched.map(({ userId }) => userId))
}
