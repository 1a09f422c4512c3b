import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { ReferenceEntry } from '#shared/contract/reference-data.ts'
import { useCount } from '../../platform/format-number.ts'
import { DeleteDialog } from '../../ui/DeleteDialog.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { NamedByRules } from '../../ui/NamedByRules.tsx'
import { membersLink, type ReferenceList } from './reference-list.ts'

type Props = {
  list: ReferenceList
  entry: ReferenceEntry
  refresh: () => Promise<void>
  onClose: () => void
}

/** Deletes an unused entry; for one in use says how often, with a link to those that use it. */
export function DeleteEntryDialog(props: Props) {
  const { list, entry, refresh, onClose } = props
  const { t } = useTranslation()
  const { code, shownName: name, uses } = entry
  if (uses > 0) return <InUse {...props} />
  return (
    <DeleteDialog
      remove={list.calls.remove}
      row={entry}
      words={{ labels: { name: t('reference-data.name'), names: t('reference-data.names') } }}
      title={t('reference-data.delete-title', { name })}
      verb={t('reference-data.delete')}
      done={t('reference-data.deleted', { name })}
      refresh={refresh}
      onClose={onClose}
    >
      <p>{t('reference-data.delete-text')}</p>
      {list.key === 'user-category' && <NamedByRules field="who.categories" values={[code]} onLeave={onClose} />}
    </DeleteDialog>
  )
}

function InUse({ list: { filter }, entry, onClose }: Props) {
  const { t } = useTranslation()
  const { id, shownName: name, uses: count } = entry
  const shown = useCount()(count)
  return (
    <Dialog
      title={t('reference-data.in-use-title', { name })}
      onClose={onClose}
      actions={
        <button type="button" className="button button-primary" data-first-focus onClick={onClose}>
          {t('action.close')}
        </button>
      }
    >
      <p>{t(filter ? 'reference-data.in-use-people' : 'reference-data.in-use-organizations', { count, shown })}</p>
      <p>
        <Link {...membersLink(filter, id)} onClick={onClose}>
          {t(filter ? 'reference-data.show-people' : 'reference-data.show-organizations')}
        </Link>
      </p>
    </Dialog>
  )
}
