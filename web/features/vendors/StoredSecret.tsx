import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import { VENDOR_CALLS, type Vendor, type VendorKey } from '#shared/contract/vendors.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useSeenVersion } from '../../ui/use-seen-version.ts'

type Props = {
  vendor: VendorKey
  stored: Vendor
  /** With what is stored now. */
  onRemoved: (vendor: Vendor) => void
}

/** Removes the stored secret, once nobody can log in with it. */
export function StoredSecret(props: Props) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const { settings, enabled, isSetByFile } = props.stored
  if (isSetByFile || !Object.values(settings ?? {}).includes(SECRET_PLACEHOLDER)) return null
  return (
    <section className="vendor-fields">
      <h2>{t('vendor.secret')}</h2>
      <p className="muted">{t('vendor.secret.text')}</p>
      {enabled ? (
        <p>{t('vendor.secret.in-use', { switch: t('vendor-field.enabled') })}</p>
      ) : (
        <div>
          <button type="button" className="button button-danger" onClick={() => setAsking(true)}>
            {t('vendor.secret.remove')}
          </button>
        </div>
      )}
      {isAsking && <RemoveDialog {...props} onClose={() => setAsking(false)} />}
    </section>
  )
}

function RemoveDialog({ vendor, stored, onRemoved, onClose }: Props & { onClose: () => void }) {
  const { t } = useTranslation()
  const reread = () => queryClient.invalidateQueries({ queryKey: ['vendor', vendor] })
  const { inSeenVersion } = useSeenVersion<Vendor>(stored.version, { reread })
  const remove = async () => {
    await inSeenVersion(async (version) => {
      const removed = await call(VENDOR_CALLS[vendor].removeSecrets, { body: { version } } as never)
      // Unsaved changes stay based on the version before somebody else's: saving them has to show the conflict.
      if (version === stored.version) onRemoved(removed)
      else await reread()
    })
    notify('well', t('vendor.secret.removed'))
    await queryClient.invalidateQueries({ queryKey: ['changes'] })
  }
  return (
    <ConfirmDialog
      title={t('vendor.secret.remove-title', { vendor: t(`vendor.${vendor}`) })}
      verb={t('vendor.secret.remove')}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{t('vendor.secret.text')}</p>
    </ConfirmDialog>
  )
}
