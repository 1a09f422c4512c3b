import type { Db } from '../../platform/db.ts'
import type { GrantRow } from '../application-grants/index.ts'
import type { ApplicationRow } from '../applications/index.ts'
import type { ApplicationEntry } from './bootstrap-document.types.ts'
import type { Problems } from './bootstrap-problems.errors.ts'
import type { ReferenceDirectory } from './bootstrap-references.rules.ts'
import { listGrants } from './grants.store.ts'

const SUBJECTS = [
  ['roles', 'role'],
  ['organizations', 'organization'],
  ['categories', 'category'],
  ['users', 'user'],
] as const

type GrantPlan = { granted: GrantRow[]; withdrawn: GrantRow[] }

const keyOf = (grant: GrantRow) => `${grant.applicationId} ${grant.kind} ${grant.subjectId}`

/** Plans who may use which application: a given list is the complete list of its kind, an absent one leaves its kind unchanged. */
export async function planGrants(
  db: Db,
  entries: readonly ApplicationEntry[],
  rows: readonly ApplicationRow[],
  directory: ReferenceDirectory,
  problems: Problems,
): Promise<GrantPlan> {
  const lists = entries.flatMap((entry, at) => {
    const applicationId = rows[at]?.id
    return applicationId ? givenLists(applicationId, entry, `applications[${at}].authorized`, directory, problems) : []
  })
  if (lists.length === 0) return { granted: [], withdrawn: [] }
  const decided = new Set(lists.map(({ applicationId, kind }) => `${applicationId} ${kind}`))
  const wanted = new Map(lists.flatMap(({ grants }) => grants).map((grant) => [keyOf(grant), grant]))
  const existing = [...(await listGrants(db, [...new Set(lists.map(({ applicationId }) => applicationId))]))]
  const withdrawn = existing.filter((g) => decided.has(`${g.applicationId} ${g.kind}`) && !wanted.has(keyOf(g)))
  for (const grant of existing) wanted.delete(keyOf(grant))
  return { granted: [...wanted.values()], withdrawn }
}

type GivenList = { applicationId: string; kind: GrantRow['kind']; grants: GrantRow[] }

function givenLists(
  applicationId: string,
  { authorized }: ApplicationEntry,
  path: string,
  directory: ReferenceDirectory,
  problems: Problems,
): GivenList[] {
  if (!authorized) return []
  const references = directory.resolver(problems)
  return SUBJECTS.flatMap(([key, kind]) => {
    const subjectIds = references.many(kind, authorized[key], `${path}.${key}`)
    if (!subjectIds) return []
    return [{ applicationId, kind, grants: subjectIds.map((subjectId) => ({ applicationId, kind, subjectId })) }]
  })
}
