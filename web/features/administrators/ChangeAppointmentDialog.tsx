import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Administrator, changeAdministrator } from '#shared/contract/administrators.ts'
import { call } from '../../platform/api.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import { translateOr } from '../../platform/i18n.ts'
import { notify } from '../../platform/notices.ts'
import { DateTimeField } from '../../ui/DateTimeField.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { refreshAdministrators } from './administrator-queries.ts'
import { PermissionsField } from './PermissionsField.tsx'

type Props = { administrator: Administrator; onClose: () => void }

/** Changes permissions and period of an appointment; another person or organisation needs another appointment. */
export function ChangeAppointmentDialog({ administrator, onClose }: Props) {
  const { t, i18n } = useTranslation()
  const [loaded, setLoaded] = useState(administrator)
  const [{ permissions, validFrom, validUntil }, setDraft] = useState(administrator)
  const [reason, setReason] = useState('')
  const set = (change: Partial<Administrator>) => setDraft((before) => ({ ...before, ...change }))
  const submit = async () => {
    const body = { version: loaded.version, permissions, validFrom, validUntil, ...(reason && { reason }) }
    await call(changeAdministrator, { query: { id: loaded.id }, body })
    notify('well', t('administrator.changed', { name: loaded.name }))
    await refreshAdministrators()
  }
  const show = (_field: string, value: unknown): string => {
    if (Array.isArray(value))
      return (
        value.map((name) => translateOr(`permission.${name}`, 'permission.look')).join(t('list.separator')) ||
        t('permission.look')
      )
    return typeof value === 'string' ? formatDateTime(new Date(value), i18n.language) : t('administrator.open-end')
  }
  return (
    <FormDialog<Administrator>
      title={t('administrator.change.title', {
        name: t('person.named', loaded),
        organization: loaded.organizationPath.at(-1) ?? '',
      })}
      verb={t('action.save')}
      size="wide"
      isDirty={reason !== '' || JSON.stringify([permissions, validFrom, validUntil]) !== stateOf(loaded)}
      onSubmit={submit}
      onClose={onClose}
      conflict={{
        loaded,
        labels: {
          permissions: t('administrator.permissions'),
          validFrom: t('administrator.valid-from'),
          validUntil: t('administrator.valid-until'),
        },
        show,
        onTakeTheirs: (current) => {
          setLoaded(current)
          setDraft(current)
        },
        onKeepMine: setLoaded,
      }}
    >
      <PermissionsField value={permissions} onChange={(next) => set({ permissions: next })} />
      <DateTimeField
        label={t('administrator.valid-from')}
        name="validFrom"
        isOptional
        value={validFrom}
        onChange={(next) => set({ validFrom: next })}
      />
      <DateTimeField
        label={t('administrator.valid-until')}
        name="validUntil"
        isOptional
        value={validUntil}
        onChange={(next) => set({ validUntil: next })}
      />
      <TextField
        label={t('administrator.reason')}
        name="reason"
        isOptional
        isWide
        maxLength={500}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  )
}

const stateOf = ({ permissions, validFrom, validUntil }: Administrator): string =>
  JSON.stringify([permissions, validFrom, validUntil])
