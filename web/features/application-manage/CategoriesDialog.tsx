import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type ApplicationCategory,
  createApplicationCategory,
  deleteApplicationCategory,
  moveApplicationCategory,
  updateApplicationCategory,
} from '#shared/contract/application-categories.ts'
import { call } from '../../platform/api.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { queryClient } from '../../platform/queries.ts'
import { isSameValue } from '../../platform/same-value.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NameAndCode } from '../../ui/NameAndCode.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { CategoryList } from './CategoryList.tsx'
import { LanguageFields } from './LanguageFields.tsx'
import { CATEGORIES_KEY, useCategories } from './use-categories.ts'

type Open = { edit: ApplicationCategory | null } | { remove: ApplicationCategory } | null

const refresh = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: [CATEGORIES_KEY] }),
    queryClient.invalidateQueries({ queryKey: ['applications'] }),
  ])

/** The categories of applications: two levels, sortable. */
export function CategoriesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { categories, nameOf } = useCategories()
  const [open, setOpen] = useState<Open>(null)
  const move: ComponentProps<typeof CategoryList>['onMove'] = async (id, place) => {
    try {
      await call(moveApplicationCategory, { query: { id }, body: place })
    } catch (error) {
      notifyFailure(error)
    }
    await refresh()
  }
  return (
    <Dialog
      title={t('application-category.title')}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" data-first-focus onClick={onClose}>
            {t('action.close')}
          </button>
          <button type="button" className="button button-primary" onClick={() => setOpen({ edit: null })}>
            {t('application-category.new')}
          </button>
        </>
      }
    >
      {categories.length === 0 && <p className="muted">{t('application-category.empty')}</p>}
      <CategoryList
        categories={categories}
        nameOf={nameOf}
        onMove={move}
        onEdit={(edit) => setOpen({ edit })}
        onRemove={(remove) => setOpen({ remove })}
      />
      {open && 'edit' in open && <CategoryForm category={open.edit} onClose={() => setOpen(null)} />}
      {open && 'remove' in open && (
        <ConfirmDialog
          title={t('application-category.delete-title', { name: nameOf(open.remove) })}
          verb={t('application-manage.do-delete')}
          onConfirm={() => call(deleteApplicationCategory, { query: { id: open.remove.id } }).then(refresh)}
          onClose={() => setOpen(null)}
        >
          <p>{t('application-category.delete-text', { count: open.remove.applications })}</p>
        </ConfirmDialog>
      )}
    </Dialog>
  )
}

/** After all siblings. */
const lastPosition = (categories: readonly ApplicationCategory[], of: string | null): number =>
  Math.max(0, ...categories.filter(({ parentId }) => parentId === of).map(({ position }) => position + 10))

function CategoryForm({ category, onClose }: { category: ApplicationCategory | null; onClose: () => void }) {
  const { t } = useTranslation()
  const { categories, nameOf } = useCategories()
  const first = {
    code: category?.code ?? '',
    name: category?.name ?? '',
    names: category?.names ?? {},
    parentId: category?.parentId ?? '',
  }
  const [draft, setDraft] = useState(first)
  const save = async () => {
    const { code, ...rest } = draft
    const parentId = draft.parentId || null
    const isUnmoved = category?.parentId === parentId
    const body = {
      ...rest,
      parentId,
      position: category && isUnmoved ? category.position : lastPosition(categories, parentId),
    }
    if (category) await call(updateApplicationCategory, { query: { id: category.id }, body })
    else await call(createApplicationCategory, { body: { ...body, code } })
    await refresh()
  }
  const parents = categories.filter(({ id, parentId }) => parentId === null && id !== category?.id)
  return (
    <FormDialog
      title={category ? t('application-category.edit', { name: nameOf(category) }) : t('application-category.new')}
      verb={t('action.save')}
      isDirty={!isSameValue(draft, first)}
      onSubmit={save}
      onClose={onClose}
      size="wide"
    >
      <NameAndCode
        value={draft}
        onChange={(change) => setDraft({ ...draft, ...change })}
        isCodeFixed={category !== null}
      />
      <SelectField
        label={t('application-category.parent')}
        name="parentId"
        value={draft.parentId}
        none={t('application-category.top')}
        options={parents.map((one) => ({ value: one.id, label: nameOf(one) }))}
        onChange={(parentId) => setDraft({ ...draft, parentId })}
      />
      <LanguageFields field="names" value={draft.names} onChange={(names) => setDraft({ ...draft, names })} />
    </FormDialog>
  )
}
