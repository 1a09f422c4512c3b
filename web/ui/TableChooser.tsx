import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableKey } from '#shared/contract/tables.ts'
import { Dialog } from './Dialog.tsx'
import { FailureLine } from './FailureLine.tsx'
import { Icon } from './Icon.tsx'
import { LeaveButton } from './LeaveButton.tsx'
import { type Density, saveTableChoices } from './table-choices.ts'
import { useDialogRequest } from './use-dialog-request.ts'

type Props = {
  tableKey: TableKey
  columns: readonly { key: string; title: string }[]
  shown: readonly string[]
  density: Density
}

/** The visible columns and the density of a list, stored for the person on every device. */
export function TableChooser(props: Props) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="button button-quiet" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="manage" />
        {t('list.view')}
      </button>
      {open && <ChooserDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function ChooserDialog({ tableKey, columns, onClose, ...props }: Props & { onClose: () => void }) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(props.shown)
  const [density, setDensity] = useState(props.density)
  const { state, run, leave } = useDialogRequest({ title: t('list.view'), onClose })
  return (
    <Dialog
      title={t('list.view')}
      onClose={leave}
      actions={
        <>
          <LeaveButton onLeave={leave} />
          <button
            type="button"
            className="button button-primary"
            aria-disabled={state.busy || undefined}
            onClick={() => void run(() => saveTableChoices(tableKey, [...shown], density))}
          >
            {t('action.save')}
          </button>
        </>
      }
    >
      <fieldset className="choices">
        <legend>{t('list.columns')}</legend>
        {columns.map(({ key, title }) => (
          <label key={key}>
            <input
              type="checkbox"
              checked={shown.includes(key)}
              // At least one column stays.
              disabled={shown.length === 1 && shown[0] === key}
              onChange={({ target }) =>
                setShown(target.checked ? [...shown, key] : shown.filter((name) => name !== key))
              }
            />
            {title}
          </label>
        ))}
      </fieldset>
      <fieldset className="choices">
        <legend>{t('list.density')}</legend>
        {(['comfortable', 'compact'] as const).map((one) => (
          <label key={one}>
            <input type="radio" name="density" checked={density === one} onChange={() => setDensity(one)} />
            {t(`list.density.${one}`)}
          </label>
        ))}
      </fieldset>
      <FailureLine error={state.error} />
    </Dialog>
  )
}
