import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type ApplicationCategory,
  createApplicationCategory,
  deleteApplicationCategory,
  updateApplicationCategory,
} from '#shared/contract/application-categories.ts'
import { call } from '../../platform/api.ts'
import { queryClient } from '../../platform/queries.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { LanguageFields } from './LanguageFields.tsx'
import { CATEGORIES, useCategories } from './use-categories.ts'

type Open = { edit: ApplicationCategory | null } | { remove: ApplicationCategory } | null

const refresh = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: [CATEGORIES] }),
    queryClient.invalidateQueries({ queryKey: ['applications'] }),
  ])

/** The categories of applications: two levels, in an order. */
export function CategoriesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { categories, nameOf } = useCategories()
  const [open, setOpen] = useState<Open>(null)
  return (
    <Dialog
      title={t('application-category.title')}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={() => setOpen({ edit: null })}>
            {t('application-category.new')}
          </button>
          <button type="button" className="button button-primary" data-first-focus onClick={onClose}>
            {t('action.close')}
          </button>
        </>
      }
    >
      {categories.length === 0 && <p className="muted">{t('application-category.empty')}</p>}
      <ul className="category-list">
        {categories.map((one) => (
          <li key={one.id} className={one.parentId ? 'category category-below' : 'category'}>
            <button
              type="button"
              className="button button-quiet"
              aria-label={t('application-category.edit', { name: nameOf(one) })}
              onClick={() => setOpen({ edit: one })}
            >
              {nameOf({ ...one, parentId: null })}
            </button>
            <span className="muted">{t('application-category.count', { count: one.applications })}</span>
            <button
              type="button"
              className="button button-quiet"
              aria-label={t('application-category.delete', { name: nameOf(one) })}
              onClick={() => setOpen({ remove: one })}
            >
              {t('application-manage.do-delete')}
            </button>
          </li>
        ))}
      </ul>
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

function CategoryForm({ category, onClose }: { category: ApplicationCategory | null; onClose: () => void }) {
  const { t } = useTranslation()
  const { categories, nameOf } = useCategories()
  const [draft, setDraft] = useState({
    code: category?.code ?? '',
    name: category?.name ?? '',
    names: category?.names ?? {},
    parentId: category?.parentId ?? '',
    position: String(category?.position ?? 0),
  })
  const save = async () => {
    const { code, position, parentId, ...rest } = draft
    const body = { ...rest, parentId: parentId || null, position: Number(position) || 0 }
    if (category) await call(updateApplicationCategory, { query: { id: category.id }, body })
    else await call(createApplicationCategory, { body: { ...body, code } })
    await refresh()
  }
  const parents = categories.filter(({ id, parentId }) => parentId === null && id !== category?.id)
  return (
    <FormDialog
      title={category ? t('application-category.edit', { name: nameOf(category) }) : t('application-category.new')}
      verb={t('action.save')}
      onSubmit={save}
      onClose={onClose}
      size="wide"
    >
      <TextField
        label={t('application-manage.name')}
        name="name"
        value={draft.name}
        maxLength={100}
        isFirst
        onChange={(name) => setDraft({ ...draft, name })}
      />
      <TextField
        label={t('application-manage.code')}
        name="code"
        value={draft.code}
        maxLength={64}
        disabled={category !== null}
        onChange={(code) => setDraft({ ...draft, code })}
      />
      <LanguageFields field="names" value={draft.names} onChange={(names) => setDraft({ ...draft, names })} />
      <SelectField
        label={t('application-category.parent')}
        name="parentId"
        value={draft.parentId}
        none={t('application-category.top')}
        options={parents.map((one) => ({ value: one.id, label: nameOf(one) }))}
        onChange={(parentId) => setDraft({ ...draft, parentId })}
      />
      <TextField
        label={t('application-field.position')}
        name="position"
        inputMode="numeric"
        value={draft.position}
        hint={t('application-hint.position')}
        onChange={(position) => setDraft({ ...draft, position })}
      />
    </FormDialog>
  )
}
