import { z } from 'zod'
import { RoleFields } from '#shared/contract/roles.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { parseInput } from '../../platform/http/responses.ts'
import type { Context } from '../../platform/platform.ts'
import { refuseLockout } from '../access-rules/index.ts'
import { buildSearchKeys } from '../name-search/index.ts'
import type { MissingReference, Restorer, Snapshot } from '../records/index.ts'
import { deleteMembers, insertMembers, listGroupIds, lockGroupsByCode } from './members.store.ts'
import { errors } from './roles.errors.ts'
import { getRole } from './roles.service.ts'
import { isCodeTaken, listRoleSnapshots, lockRole, updateRoleRow } from './roles.store.ts'

const CodeList = z.array(z.string()).default([])
/** Audit records of a deleted role contain more. */
const FormerRole = z.object({ ...RoleFields.shape, organizations: CodeList, categories: CodeList })

const KINDS = [
  { kind: 'organization', field: 'organizations' },
  { kind: 'category', field: 'categories' },
] as const

/** How a role is rolled back: its names, code and description, and its group members. */
export const roleRestorer: Restorer = {
  async current(ctx, ids) {
    const rows = await listRoleSnapshots(ctx.db, ids)
    return new Map(
      rows.map(({ id, version, ...snapshot }) => [id, { name: snapshot.name, version, snapshot }] as const),
    )
  },

  async missing(ctx: Context, _id: string, snapshot: Snapshot): Promise<MissingReference[]> {
    const former = parseInput(FormerRole, snapshot, ctx, ctx.client.language)
    const gone = KINDS.map(async ({ kind, field }) => {
      const known = await lockGroupsByCode(ctx.db, kind, former[field])
      const codes = former[field].filter((code) => !known.some((one) => one.code === code))
      return codes.map((value) => ({ field, value }))
    })
    return (await Promise.all(gone)).flat()
  },

  async restore(ctx: Context, id: string, snapshot: Snapshot, version: number): Promise<void> {
    const { code, name, names, description, ...groups } = parseInput(FormerRole, snapshot, ctx, ctx.client.language)
    if (!(await lockRole(ctx.db, id))) throw errors['role.not-found']()
    const current = await getRole(ctx, id)
    if (current.version !== version) throw platformErrors['version.conflict']({ data: { current } })
    if (await isCodeTaken(ctx.db, code, id)) throw errors['role.code-taken']()
    const row = { code, name, names, description, ...(await buildSearchKeys(name)), now: ctx.now() }
    if (!(await updateRoleRow(ctx.db, id, row))) throw errors['role.code-taken']()
    const present = await listGroupIds(ctx.db, id)
    const by = ctx.caller?.userId ?? null
    for (const { kind, field } of KINDS) {
      const wanted = (await lockGroupsByCode(ctx.db, kind, groups[field])).map((one) => one.id)
      const had = present.filter((one) => one.kind === kind).map((one) => one.id)
      await deleteMembers(ctx.db, { roleId: id, kind, ids: had.filter((one) => !wanted.includes(one)) })
      const ids = wanted.filter((one) => !had.includes(one))
      await insertMembers(ctx.db, { roleId: id, kind, ids, at: ctx.now(), by })
    }
    await refuseLockout(ctx)
  },
}
