import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from './CopyButton.tsx'
import { Dialog } from './Dialog.tsx'
import './issued-dialog.css'

type Props = {
  title: string
  children: ReactNode
  /** What it is called, and what is to be copied. */
  values: readonly (readonly [string, string])[]
  onClose: () => void
}

/** Values that are shown once, for somebody who carries them elsewhere. */
export function IssuedDialog({ title, children, values, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <button type="button" className="button button-primary" data-first-focus onClick={onClose}>
          {t('scim-client.kept')}
        </button>
      }
    >
      {children}
      <dl className="issued-values">
        {values.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <code>{value}</code>
              <CopyButton text={value} label={label} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
