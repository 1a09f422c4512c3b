import type { changeCustomField, PersonalData } from '#shared/contract/profile.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import {
  customAuditValues,
  customFields,
  isEditableByOwner,
  ownedFields,
  requireOwnCustomEdit,
  showCustomFields,
} from '../account-fields/index.ts'
import { recordAudit } from '../records/index.ts'
import { bumpUserVersion, setCustomValues } from '../user-accounts/index.ts'
import { lockCustomValues } from './profile.store.ts'

/** The custom fields that a person sees: of their own the visible ones, of others nothing sensitive. */
export async function shownCustomValues(
  ctx: Context,
  values: Readonly<Record<string, string>> | null,
  isOwn: boolean,
): Promise<PersonalData['custom']> {
  const fields = (await customFields(ctx)).filter((field) => (isOwn ? field.visibleTo === 'self' : !field.isSensitive))
  const owned = await ownedFields(ctx, isOwn ? callerOf(ctx).userId : null)
  const shown = showCustomFields(ctx, fields).map((field) =>
    owned.has(field.name) ? { ...field, editableBy: 'source' as const } : field,
  )
  return fields.flatMap((field, at) => {
    const one = shown[at]
    return one
      ? [
          {
            field: one,
            value: values?.[field.key] ?? null,
            isEditable: isOwn && isEditableByOwner({ ...field, ...one }),
          },
        ]
      : []
  })
}

/** @throws Refusal `version.conflict`, `account-field.…`. */
export async function saveOwnCustomField(
  ctx: Context,
  id: string,
  { key, value: text, version }: Input<typeof changeCustomField>['body'],
): Promise<{ version: number; value: string | null }> {
  return await transaction(ctx, async (inner) => {
    const row = await lockCustomValues(inner.db, id)
    if (!row || row.version !== version) throw platformErrors['version.conflict']()
    const field = (await customFields(inner)).find((one) => one.key === key && one.visibleTo === 'self')
    // It was removed meanwhile: the page reloads.
    if (!field) throw platformErrors['version.conflict']()
    const before = row.customValues?.[key] ?? null
    if (text === before) return { version, value: before }
    const value = await requireOwnCustomEdit(inner, field, { userId: id, text })
    if (value === before) return { version, value }
    await setCustomValues(inner.db, id, { [key]: value })
    await bumpUserVersion(inner.db, id, inner.now())
    const target = { targetKind: 'user', targetId: id } as const
    await recordAudit(inner, { action: 'custom-field.change', ...target, ...customAuditValues(field, before, value) })
    return { version: version + 1, value }
  })
}
