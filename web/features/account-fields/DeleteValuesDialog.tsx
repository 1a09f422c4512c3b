import { useTranslation } from 'react-i18next'
import type { CustomField } from '#shared/contract/custom-fields.ts'
import { deleteFieldValues } from '#shared/contract/field-values.ts'
import { call } from '../../platform/api.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { nameOf } from './custom-fields.ts'
import { useFieldUse } from './use-field-use.ts'

type Props = { field: CustomField; onStarted: (taskId: string) => void; onClose: () => void }

/** Deletes everybody's values of a removed field, and the field: this can't be undone. */
export function DeleteValuesDialog({ field, onStarted, onClose }: Props) {
  const { t } = useTranslation()
  const name = nameOf(field)
  const use = useFieldUse(field.key)
  const start = async () => onStarted((await call(deleteFieldValues, { body: { key: field.key } })).taskId)
  return (
    <ConfirmDialog
      title={t('custom-field.delete-title', { name })}
      verb={t('custom-field.delete')}
      onConfirm={start}
      onClose={onClose}
    >
      {use.data && (
        <p>
          {t(use.data.isLowerBound ? 'custom-field.delete-many' : 'custom-field.delete-count', {
            count: use.data.people,
          })}
        </p>
      )}
      <p className="muted">{t('custom-field.delete-explain')}</p>
    </ConfirmDialog>
  )
}
