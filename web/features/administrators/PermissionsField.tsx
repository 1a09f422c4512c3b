import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { PERMISSIONS, type Permission } from '#shared/contract/permissions.ts'
import './administrators.css'

/** Typical sets of permissions; each has the message `permission-preset.<name>`. */
const PRESETS: readonly (readonly ['look' | 'help-desk' | 'staff' | 'applications' | 'all', readonly Permission[]])[] =
  [
    ['look', []],
    ['help-desk', ['unlock', 'reset']],
    ['staff', ['edit', 'import']],
    ['applications', ['authorise']],
    ['all', PERMISSIONS],
  ]

const isSame = (permissions: readonly Permission[], value: readonly Permission[]): boolean =>
  permissions.length === value.length && permissions.every((permission) => value.includes(permission))

/** The permissions of an administrator, each explained. */
export function PermissionsField({
  value,
  onChange,
}: {
  value: readonly Permission[]
  onChange: (value: Permission[]) => void
}) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <fieldset className="permissions">
      <legend>{t('administrator.permissions')}</legend>
      <p className="muted">{t('administrator.permissions.explain')}</p>
      <div className="permission-presets">
        {PRESETS.map(([preset, permissions]) => (
          <button
            key={preset}
            type="button"
            className="button"
            aria-pressed={isSame(permissions, value)}
            onClick={() => onChange([...permissions])}
          >
            {t(`permission-preset.${preset}`)}
          </button>
        ))}
      </div>
      {PERMISSIONS.map((permission) => (
        <div key={permission} className="permission">
          <input
            type="checkbox"
            id={`${id}-${permission}`}
            checked={value.includes(permission)}
            aria-describedby={`${id}-${permission}-text`}
            onChange={({ target }) =>
              onChange(PERMISSIONS.filter((one) => (one === permission ? target.checked : value.includes(one))))
            }
          />
          <label htmlFor={`${id}-${permission}`}>{t(`permission.${permission}`)}</label>
          <p className="muted" id={`${id}-${permission}-text`}>
            {t(`permission.${permission}.text`)}
          </p>
        </div>
      ))}
    </fieldset>
  )
}
