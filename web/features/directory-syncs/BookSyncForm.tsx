import { useTranslation } from 'react-i18next'
import {
  BOOK_FIELDS,
  BOOK_HOSTS,
  BOOK_LEAVERS,
  BOOK_VENDORS,
  type BookSync,
  type BookSyncFields,
  bookSyncs,
} from '#shared/contract/address-books.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/message-gateways.ts'
import { type ReferenceEntry, userCategories } from '#shared/contract/reference-data.ts'
import { notify } from '../../platform/notices.ts'
import { saveResource } from '../../platform/save-resource.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useFieldError } from '../../ui/field-errors.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Picker } from '../../ui/Picker.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import { OrganizationField } from './OrganizationField.tsx'
import { ResponsibleField } from './ResponsibleField.tsx'
import { RootRows } from './RootRows.tsx'
import { ScheduleFields } from './ScheduleFields.tsx'
import { conflictWords } from './sync-conflict.ts'
import { refreshSyncs } from './sync-queries.ts'
import { ThresholdFields } from './ThresholdFields.tsx'
import { usePickedOptions } from './use-picked-options.ts'

const EMPTY: BookSyncFields = {
  name: '',
  vendor: 'qywx',
  application: '',
  secret: '',
  host: '',
  roots: [{ organizationId: '', departmentId: 1 }],
  categoryIds: [],
  fields: [...BOOK_FIELDS],
  leavers: 'keep',
  thresholds: { missing: 5, changed: 20, created: 20, field: 10, bad: 10, rows: 80 },
  responsibleIds: [],
  schedule: null,
  note: '',
}

function draftOf(sync: BookSync | null): BookSyncFields {
  if (!sync) return EMPTY
  const { name, vendor, application, secret, host, roots, categoryIds, fields, ...more } = sync
  const { leavers, thresholds, responsibleIds, schedule, note } = more
  return {
    ...{ name, vendor, application, secret, host, roots, categoryIds, fields },
    ...{ leavers, thresholds, responsibleIds, schedule, note },
  }
}

/** Whose address book it is, which departments and people stand in it, and what becomes of those who leave. */
export function BookSyncForm({ edited, onClose }: { edited: BookSync | null; onClose: () => void }) {
  const { t } = useTranslation()
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(edited, draftOf)
  const words = conflictWords(t)
  const labels = { ...words.labels, rootNames: t('book-sync.roots'), categoryNames: t('book-sync.categories') }
  const save = async () => {
    await saveResource(bookSyncs, loaded, draft)
    await refreshSyncs()
    notify('well', t('directory-sync.saved', { name: draft.name }))
  }
  return (
    <FormDialog<BookSync>
      title={edited ? t('directory-sync.edit-one', { name: edited.name }) : t('book-sync.create')}
      verb={t('action.save')}
      size="wide"
      isDirty={isDirty}
      {...conflictOf({ ...words, labels })}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={t('directory-sync.name')}
        name="name"
        value={draft.name}
        maxLength={100}
        isFirst
        onChange={(name) => set({ name })}
      />
      <VendorFields draft={draft} set={set} />
      <RootFields roots={draft.roots} onChange={(roots) => set({ roots })} />
      <CategoryField loaded={loaded} value={draft.categoryIds} onChange={(categoryIds) => set({ categoryIds })} />
      <SentFields draft={draft} set={set} />
      <ThresholdFields value={draft.thresholds} onChange={(thresholds) => set({ thresholds })} />
      <ResponsibleField loaded={loaded} draft={draft} set={set} />
      <ScheduleFields value={draft.schedule} onChange={(schedule) => set({ schedule })} />
      <TextField
        label={t('directory-sync.note')}
        name="note"
        value={draft.note}
        maxLength={500}
        isOptional
        isWide
        onChange={(note) => set({ note })}
      />
    </FormDialog>
  )
}

type PartProps = { draft: BookSyncFields; set: (change: Partial<BookSyncFields>) => void }

function VendorFields({ draft, set }: PartProps) {
  const { t } = useTranslation()
  const { vendor, secret } = draft
  const refused = useFieldError('secret', secret)
  return (
    <>
      <SelectField
        label={t('book-sync.vendor')}
        name="vendor"
        value={vendor}
        options={BOOK_VENDORS.map((value) => ({ value, label: t(`book-sync.vendor.${value}`) }))}
        onChange={(chosen) => chosen && set({ vendor: chosen, leavers: 'keep' })}
      />
      <TextField
        label={t(`book-sync.application.${vendor}`)}
        name="application"
        value={draft.application}
        maxLength={100}
        onChange={(application) => set({ application })}
      />
      <PasswordField
        label={t(`book-sync.secret.${vendor}`)}
        value={secret}
        autoComplete="new-password"
        error={refused}
        // Stars stand for what is stored: whoever types on replaces it.
        onChange={(next) =>
          set({ secret: secret === SECRET_PLACEHOLDER ? next.replace(SECRET_PLACEHOLDER, '') : next })
        }
      />
      <TextField
        label={t('book-sync.host')}
        name="host"
        hint={t('book-sync.host-hint', { host: BOOK_HOSTS[vendor] })}
        value={draft.host}
        maxLength={300}
        isOptional
        onChange={(host) => set({ host })}
      />
    </>
  )
}

type RootProps = { roots: BookSyncFields['roots']; onChange: (roots: BookSyncFields['roots']) => void }

/** Departments here, and which each is there. */
function RootFields({ roots, onChange }: RootProps) {
  const { t } = useTranslation()
  return (
    <RootRows
      legend={t('book-sync.roots')}
      hint={t('book-sync.root-hint')}
      value={roots}
      onChange={onChange}
      fresh={{ organizationId: '', departmentId: 1 }}
      addLabel={t('book-sync.root-add')}
      removeLabel={(at) => t('book-sync.root-remove', { at })}
    >
      {(root, at, set) => (
        <>
          <OrganizationField
            label={t('book-sync.root', { at: at + 1 })}
            name={`roots.${at}.organizationId`}
            value={root.organizationId}
            onChange={(organizationId) => set({ ...root, organizationId })}
          />
          <TextField
            label={t('book-sync.department', { at: at + 1 })}
            hint={t('book-sync.department-hint')}
            value={String(root.departmentId)}
            inputMode="numeric"
            maxLength={10}
            onChange={(text) => set({ ...root, departmentId: Number(text.replace(/\D/g, '')) || 1 })}
          />
        </>
      )}
    </RootRows>
  )
}

type CategoryProps = { loaded: BookSync | null; value: readonly string[]; onChange: (ids: string[]) => void }

/** Who of the people in these departments is sent. */
function CategoryField({ loaded, value, onChange }: CategoryProps) {
  const { t } = useTranslation()
  const read = loaded?.categoryIds.map((id, at) => ({ id, label: loaded.categoryNames[at] ?? '' })) ?? []
  return (
    <Picker<ReferenceEntry>
      label={t('book-sync.categories')}
      hint={t('book-sync.categories-hint')}
      name="categoryIds"
      multiple
      isOptional
      endpoint={userCategories.list}
      toOption={({ id, code, shownName }) => ({ id, label: shownName, hint: code })}
      {...usePickedOptions(value, read, onChange)}
    />
  )
}

/** What is sent of people, and what becomes there of those who are not sent any more. */
function SentFields({ draft, set }: PartProps) {
  const { t } = useTranslation()
  const { fields, vendor } = draft
  return (
    <>
      <fieldset className="sync-fieldset">
        <legend>{t('book-sync.fields')}</legend>
        <p className="muted">{t('book-sync.fields-hint')}</p>
        {BOOK_FIELDS.map((field) => (
          <Switch
            key={field}
            label={t(`book-sync.field.${field}`)}
            checked={fields.includes(field)}
            onChange={(checked) =>
              set({ fields: BOOK_FIELDS.filter((one) => (one === field ? checked : fields.includes(one))) })
            }
          />
        ))}
      </fieldset>
      <SelectField
        label={t('book-sync.leavers')}
        hint={t('book-sync.leavers-hint')}
        name="leavers"
        value={draft.leavers}
        options={BOOK_LEAVERS.filter((value) => value !== 'disable' || vendor === 'qywx').map((value) => ({
          value,
          label: t(`book-sync.leavers.${value}`),
        }))}
        onChange={(leavers) => leavers && set({ leavers })}
      />
    </>
  )
}
