import type { deleteApplications, duplicateApplication } from '#shared/contract/application-manage.ts'
import type { RulesNaming } from '#shared/contract/rules-naming.ts'
import { randomToken } from '../../platform/crypto.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { listNamedByRules, listRulesNaming } from '../access-rules/index.ts'
import { type ApplicationRow, findApplicationsById, invalidateApplications } from '../applications/index.ts'
import { hashPassword } from '../passwords/index.ts'
import { recordAudit } from '../records/index.ts'
import { writeApplications } from './application-checks.service.ts'
import { errors } from './application-manage.errors.ts'
import {
  changeApplication,
  createCheckedApplication,
  getApplication,
  newApplicationRow,
  toNameSearchForms,
} from './application-manage.service.ts'
import { countImpact } from './application-manage.store.ts'
import { toApplicationSnapshot } from './application-mapping.rules.ts'
import { countApplications, listApplicationIds } from './applications-list.store.ts'

const MAX_AT_ONCE = 1000

type Selection = Input<typeof deleteApplications>['body']['selection']

async function resolveSelection(ctx: Context, selection: Selection): Promise<string[]> {
  if ('ids' in selection) return [...new Set(selection.ids)]
  const { total } = await countApplications(ctx.db, selection.all)
  if (total !== selection.expected) throw errors['selection.changed']()
  return await listApplicationIds(ctx.db, selection.all, MAX_AT_ONCE)
}

/** The access rules that name one of these, and what deleting them all would do to each. @throws Refusal `selection.changed`. */
export async function listRulesNamingSelected(ctx: Context, selection: Selection): Promise<RulesNaming> {
  const rows = await findApplicationsById(ctx.db, await resolveSelection(ctx, selection))
  return await listRulesNaming(ctx, { field: 'applications', values: rows.map(({ appId }) => appId) })
}

type Verdict = { wanted: ApplicationRow } | { refused: keyof typeof errors | 'access-rule.names-it' } | 'unchanged'

/** The same change for many applications, in one step; those it doesn't apply to are reported with the reason. */
async function changeMany(ctx: Context, selection: Selection, action: string, judge: (row: ApplicationRow) => Verdict) {
  const ids = await resolveSelection(ctx, selection)
  return await transaction(ctx, async (inner) => {
    await inner.db`select from applications where id = any(${ids}::uuid[]) order by id for update`
    const rows = [...(await findApplicationsById(inner.db, ids))]
    const verdicts = rows.map((row) => ({ row, verdict: judge(row) }))
    const changes = verdicts.flatMap(({ row, verdict }) =>
      verdict !== 'unchanged' && 'wanted' in verdict ? [{ row, wanted: verdict.wanted }] : [],
    )
    await writeApplications(
      inner,
      changes.map(({ wanted }) => wanted),
    )
    await invalidateApplications(inner, inner.db)
    for (const { row, wanted } of changes) {
      const target = { targetKind: 'application', targetId: row.id }
      await recordAudit(inner, {
        action,
        ...target,
        before: toApplicationSnapshot(row),
        after: toApplicationSnapshot(wanted),
      })
    }
    const refused = verdicts.flatMap(({ row, verdict }) => {
      if (verdict === 'unchanged' || 'wanted' in verdict) return []
      const reason = inner.translate(inner.client.language, `errors.${verdict.refused}`)
      return [{ id: row.id, name: row.name, code: verdict.refused, reason }]
    })
    return { changed: changes.length, refused }
  })
}

/** Enables or disables applications. A disabled one rejects everybody from the commit on, and people inside are logged out of it. */
export const setManagedApplicationsEnabled = (ctx: Context, selection: Selection, enabled: boolean) =>
  changeMany(ctx, selection, enabled ? 'application.enable' : 'application.disable', (row) => {
    if (row.builtIn) return { refused: 'application.built-in' }
    if (row.deletedAt !== null) return { refused: 'application.not-found' }
    return row.enabled === enabled ? 'unchanged' : { wanted: { ...row, enabled } }
  })

/** Only disabled ones, which nobody is inside any more. Grants and settings are kept for a restore. */
export async function deleteManagedApplications(ctx: Context, selection: Selection) {
  const named = await listNamedByRules(ctx, 'applications')
  return await changeMany(ctx, selection, 'application.delete', (row) => {
    if (row.builtIn) return { refused: 'application.built-in' }
    if (row.enabled) return { refused: 'application.still-enabled' }
    if (row.deletedAt !== null) return 'unchanged'
    return named.has(row.appId) ? { refused: 'access-rule.names-it' } : { wanted: { ...row, deletedAt: ctx.now() } }
  })
}

export const undeleteManagedApplication = (ctx: Context, id: string) =>
  changeApplication(ctx, id, null, 'application.restore', async (_, row) => ({ ...row, deletedAt: null }))

export async function getImpact(ctx: Context, id: string) {
  await getApplication(ctx, id)
  return await countImpact(ctx.db, id, ctx.now())
}

/** Without the addresses, which would be ambiguous, and the secret, which belongs to one application. */
export async function duplicateManagedApplication(
  ctx: Context,
  id: string,
  given: Input<typeof duplicateApplication>['body'],
) {
  const source = await getApplication(ctx, id)
  if (source.builtIn) throw errors['application.built-in']()
  const secret = source.clientSecretHash === null ? null : randomToken(43)
  const blank = newApplicationRow(ctx)
  const row: ApplicationRow = {
    ...source,
    ...blank,
    ...given,
    ...(await toNameSearchForms(given.name)),
    protocol: source.protocol,
    template: source.template,
    description: source.description,
    descriptions: source.descriptions,
    categoryId: source.categoryId,
    type: source.type,
    userAttribute: source.userAttribute,
    attributes: source.attributes,
    singleLogout: source.singleLogout,
    casOptions: source.casOptions,
    // Without the callback addresses no proxying works.
    proxy: false,
    clientId: source.protocol === 'oauth2' ? given.appId : null,
    clientSecretHash: secret === null ? null : await hashPassword(ctx, secret),
    grantTypes: source.grantTypes.filter((one) => one !== 'password' || secret !== null),
    scopes: source.scopes,
    consent: source.consent,
    subjectType: source.subjectType,
    idTokenAlg: source.idTokenAlg,
    idTokenClaims: source.idTokenClaims,
    profileStyle: source.profileStyle,
    tokenStyle: source.tokenStyle,
    enabled: false,
  }
  await createCheckedApplication(ctx, row)
  return { id: row.id, secret }
}
