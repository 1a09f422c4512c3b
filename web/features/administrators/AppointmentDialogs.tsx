import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Administrator, renewAdministrators, withdrawAdministrators } from '#shared/contract/administrators.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { serverNow } from '../../platform/server-clock.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DateTimeField } from '../../ui/DateTimeField.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { refreshAdministrators } from './administrator-queries.ts'

type Props = { administrators: readonly Administrator[]; onClose: () => void }

const idsOf = (administrators: readonly Administrator[]) => administrators.map(({ id }) => id)

/** Midnight a year from now, as most appointments are for. */
function oneYearFromNow(): string {
  const time = new Date(serverNow())
  return new Date(time.getFullYear() + 1, time.getMonth(), time.getDate()).toISOString()
}

/** Extends appointments, or removes their end. */
export function RenewDialog({ administrators, onClose }: Props) {
  const { t } = useTranslation()
  const [offered] = useState(oneYearFromNow)
  const [validUntil, setValidUntil] = useState<string | null>(offered)
  const submit = async () => {
    const { changed } = await call(renewAdministrators, { body: { ids: idsOf(administrators), validUntil } })
    notify('well', t('administrator.renewed', { count: changed }))
    await refreshAdministrators()
  }
  return (
    <FormDialog
      title={t('administrator.renew.title', { count: administrators.length })}
      verb={t('administrator.renew')}
      isDirty={validUntil !== offered}
      onSubmit={submit}
      onClose={onClose}
    >
      <DateTimeField
        label={t('administrator.valid-until')}
        name="validUntil"
        isOptional
        hint={t('administrator.open-end.hint')}
        value={validUntil}
        onChange={setValidUntil}
      />
    </FormDialog>
  )
}

/** Withdraws appointments, after confirmation. */
export function WithdrawDialog({ administrators, onClose }: Props) {
  const { t } = useTranslation()
  const [first] = administrators
  const confirm = async () => {
    const { withdrawn } = await call(withdrawAdministrators, { body: { ids: idsOf(administrators) } })
    notify('well', t('administrator.withdrawn', { count: withdrawn }))
    await refreshAdministrators()
  }
  return (
    <ConfirmDialog
      title={
        administrators.length === 1 && first
          ? t('administrator.withdraw.title', { name: t('person.named', first) })
          : t('administrator.withdraw.title-many', { count: administrators.length })
      }
      verb={t('administrator.withdraw')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{t('administrator.withdraw.text')}</p>
    </ConfirmDialog>
  )
}
