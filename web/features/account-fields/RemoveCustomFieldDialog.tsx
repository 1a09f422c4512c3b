import { useTranslation } from 'react-i18next'
import type { StoredFieldRules } from '#shared/contract/account-fields.ts'
import type { CustomField } from '#shared/contract/custom-fields.ts'
import { notify } from '../../platform/notices.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { tellingConflict } from '../../ui/use-seen-version.ts'
import { customOf, nameOf, saveCustomFields } from './custom-fields.ts'
import { useFieldUse } from './use-field-use.ts'

type Props = { field: CustomField; stored: StoredFieldRules; onClose: () => void }

/** Removes a field from use, and says how many people have a value; values are kept, unless there are none. */
export function RemoveCustomFieldDialog({ field, stored, onClose }: Props) {
  const { t } = useTranslation()
  const name = nameOf(field)
  const use = useFieldUse(field.key)
  const remove = async () => {
    const others = customOf(stored).filter(({ key }) => key !== field.key)
    const kept = customOf(stored).map((one) => (one.key === field.key ? { ...one, isRemoved: true } : one))
    await tellingConflict(() => saveCustomFields(stored.version, use.data?.people === 0 ? others : kept))
    notify('well', t('custom-field.removed-one', { name }))
  }
  return (
    <ConfirmDialog
      title={t('custom-field.remove-title', { name })}
      verb={t('custom-field.remove')}
      onConfirm={remove}
      onClose={onClose}
    >
      {use.data &&
        (use.data.people === 0 ? (
          <p>{t('custom-field.remove-unused')}</p>
        ) : (
          <p>
            {t(use.data.isLowerBound ? 'custom-field.remove-used-many' : 'custom-field.remove-used', {
              count: use.data.people,
            })}
          </p>
        ))}
      <p className="muted">{t('custom-field.remove-explain')}</p>
    </ConfirmDialog>
  )
}
