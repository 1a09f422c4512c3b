import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { ReferenceEntry } from '#shared/contract/reference-data.ts'
import { useCount } from '../../platform/format-number.ts'
import { DeleteDialog } from '../../ui/DeleteDialog.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { NamedByRules } from '../../ui/NamedByRules.tsx'
import { membersLink, type ReferenceList } from './reference-list.ts'

type Props = {
  vocabulary: ReferenceList
  entry: ReferenceEntry
  refresh: () => Promise<void>
  onClose: () => void
}

/** Deletes an unused entry; for one in use says how often, with a link to those that use it. */
export function DeleteEntryDialog(props: Props) {
  const { vocabulary, entry, refresh, onClose } = props
  const { t } = useTranslation()
  const { code, shownName: name, uses } = entry
  if (uses > 0) return <InUse {...props} />
  return (
    <DeleteDialog
      remove={vocabulary.calls.remove}
      row={entry}
      words={{ labels: { name: t('vocabulary.name'), names: t('vocabulary.names') } }}
      title={t('vocabulary.delete-title', { name })}
      verb={t('vocabulary.delete')}
      done={t('vocabulary.deleted', { name })}
      refresh={refresh}
      onClose={onClose}
    >
      <p>{t('vocabulary.delete-text')}</p>
      {vocabulary.key === 'user-category' && <NamedByRules field="who.categories" values={[code]} onLeave={onClose} />}
    </DeleteDialog>
  )
}

function InUse({ vocabulary: { filter }, entry, onClose }: Props) {
  const { t } = useTranslation()
  const { id, shownName: name, uses: count } = entry
  const shown = useCount()(count)
  return (
    <Dialog
      title={t('vocabulary.in-use-title', { name })}
      onClose={onClose}
      actions={
        <button type="button" className="button button-primary" data-first-focus onClick={onClose}>
          {t('action.close')}
        </button>
      }
    >
      <p>{t(filter ? 'vocabulary.in-use-people' : 'vocabulary.in-use-organizations', { count, shown })}</p>
      <p>
        <Link {...membersLink(filter, id)} onClick={onClose}>
          {t(filter ? 'vocabulary.show-people' : 'vocabulary.show-organizations')}
        </Link>
      </p>
    </Dialog>
  )
}
