import { useTranslation } from 'react-i18next'
import {
  BOOK_FIELDS,
  BOOK_HOSTS,
  BOOK_LEAVERS,
  BOOK_MODES,
  BOOK_VENDORS,
  type BookSync,
  type BookSyncFields,
  bookSyncs,
  isMailProvider,
} from '#shared/contract/address-books.ts'
import { type ReferenceEntry, userCategories } from '#shared/contract/reference-data.ts'
import { typedSecret } from '#shared/rules/typed-secret.ts'
import { notify } from '../../platform/notices.ts'
import { saveResource } from '../../platform/save-resource.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useFieldError } from '../../ui/field-errors.ts'
import { NameField } from '../../ui/NameField.tsx'
import { NoteField } from '../../ui/NoteField.tsx'
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
import { WholeNumberField } from './WholeNumberField.tsx'

export const EMPTY_BOOK: BookSyncFields = {
  name: '',
  vendor: 'qywx',
  mode: 'on',
  coremail: null,
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

function fieldsOf(sync: BookSync): BookSyncFields {
  const { name, vendor, mode, coremail, application, secret, host, roots, categoryIds, fields, ...more } = sync
  const { leavers, thresholds, responsibleIds, schedule, note } = more
  return {
    ...{ name, vendor, mode, coremail, application, secret, host, roots, categoryIds, fields },
    ...{ leavers, thresholds, responsibleIds, schedule, note },
  }
}

type Props = {
  edited: BookSync | null
  /** What a new one begins with; its vendor can be chosen unless it is a mail provider. */
  fresh?: BookSyncFields
  onClose: () => void
}

/** The address book, the departments and people to write into it, and what happens to leavers. */
export function BookSyncForm({ edited, fresh = EMPTY_BOOK, onClose }: Props) {
  const { t } = useTranslation()
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(edited, (sync: BookSync | null) =>
    sync ? fieldsOf(sync) : fresh,
  )
  const isMail = isMailProvider(draft.vendor)
  const words = conflictWords(t)
  const labels = { ...words.labels, rootNames: t('book-sync.roots'), categoryNames: t('book-sync.categories') }
  const save = async () => {
    await saveResource(bookSyncs, loaded, draft)
    await refreshSyncs()
    notify('well', t('directory-sync.saved', { name: draft.name }))
  }
  return (
    <FormDialog<BookSync>
      title={
        edited
          ? t('directory-sync.edit-one', { name: edited.name })
          : t(isMail ? 'mailbox-sync.create' : 'book-sync.create')
      }
      verb={t('action.save')}
      size="wide"
      isDirty={isDirty}
      {...conflictOf({ ...words, labels })}
      onSubmit={save}
      onClose={onClose}
    >
      <NameField label={t('directory-sync.name')} value={draft.name} onChange={(name) => set({ name })} />
      {isMail ? <MailFields draft={draft} set={set} /> : <VendorField draft={draft} set={set} />}
      <PlaceFields draft={draft} set={set} />
      <RootFields draft={draft} set={set} />
      <CategoryField loaded={loaded} value={draft.categoryIds} onChange={(categoryIds) => set({ categoryIds })} />
      <SentFields draft={draft} set={set} />
      <ThresholdFields value={draft.thresholds} onChange={(thresholds) => set({ thresholds })} />
      <ResponsibleField loaded={loaded} draft={draft} set={set} />
      <ScheduleFields value={draft.schedule} onChange={(schedule) => set({ schedule })} />
      <NoteField label={t('directory-sync.note')} value={draft.note} onChange={(note) => set({ note })} />
    </FormDialog>
  )
}

type PartProps = { draft: BookSyncFields; set: (change: Partial<BookSyncFields>) => void }

function VendorField({ draft: { vendor }, set }: PartProps) {
  const { t } = useTranslation()
  return (
    <SelectField
      label={t('book-sync.vendor')}
      name="vendor"
      value={vendor}
      options={BOOK_VENDORS.map((value) => ({ value, label: t(`book-sync.vendor.${value}`) }))}
      onChange={(chosen) => chosen && set({ vendor: chosen, leavers: 'keep' })}
    />
  )
}

const COREMAIL_IDS = ['orgId', 'providerId', 'cosId'] as const

/** Of a mail provider: whether runs write, and where it creates mailboxes. */
function MailFields({ draft, set }: PartProps) {
  const { t } = useTranslation()
  const { vendor, mode, coremail } = draft
  const place = coremail ?? { orgId: '', providerId: '', cosId: '' }
  if (!isMailProvider(vendor)) return null
  return (
    <>
      <SelectField
        label={t('mailbox-sync.mode')}
        name="mode"
        value={mode}
        options={BOOK_MODES.map((value) => ({ value, label: t(`mailbox-sync.mode.${value}`) }))}
        onChange={(chosen) => chosen && set({ mode: chosen })}
      />
      <p className="muted">{t(`mailbox-sync.guide.${vendor}`)}</p>
      {vendor === 'coremail' && (
        <fieldset className="sync-fieldset">
          <legend>{t('mailbox-sync.coremail')}</legend>
          <div className="sync-grid">
            {COREMAIL_IDS.map((name) => (
              <TextField
                key={name}
                label={t(`mailbox-sync.coremail.${name}`)}
                name={`coremail.${name}`}
                value={place[name]}
                maxLength={60}
                onChange={(value) => set({ coremail: { ...place, [name]: value } })}
              />
            ))}
          </div>
        </fieldset>
      )}
    </>
  )
}

/** Which application of ours calls where. */
function PlaceFields({ draft, set }: PartProps) {
  const { t } = useTranslation()
  const { vendor, secret } = draft
  const refused = useFieldError('secret', secret)
  const standard = BOOK_HOSTS[vendor]
  return (
    <>
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
        // The placeholder stands for the stored secret: typing replaces it as a whole.
        onChange={(next) => set({ secret: typedSecret(secret, next) })}
      />
      <TextField
        label={t('book-sync.host')}
        name="host"
        {...(standard !== '' && { hint: t('book-sync.host-hint', { host: standard }), isOptional: true })}
        value={draft.host}
        maxLength={300}
        onChange={(host) => set({ host })}
      />
    </>
  )
}

/** Departments here with their counterparts in the address book. */
function RootFields({ draft: { vendor, roots }, set: change }: PartProps) {
  const { t } = useTranslation()
  const words = isMailProvider(vendor) ? 'mailbox-sync' : 'book-sync'
  const onChange = (next: BookSyncFields['roots']) => change({ roots: next })
  return (
    <RootRows
      legend={t('book-sync.roots')}
      hint={t(`${words}.root-hint`)}
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
          {vendor !== 'coremail' && (
            <WholeNumberField
              label={t('book-sync.department', { at: at + 1 })}
              name={`roots.${at}.departmentId`}
              hint={t(`${words}.department-hint`)}
              value={root.departmentId}
              digits={10}
              onChange={(departmentId) => set({ ...root, departmentId })}
            />
          )}
        </>
      )}
    </RootRows>
  )
}

type CategoryProps = { loaded: BookSync | null; value: readonly string[]; onChange: (ids: string[]) => void }

/** Which user categories are included. */
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

/** The fields to send, and what happens to people who are no longer included. */
function SentFields({ draft, set }: PartProps) {
  const { t } = useTranslation()
  const { fields, vendor } = draft
  const isMail = isMailProvider(vendor)
  const words = isMail ? 'mailbox-sync' : 'book-sync'
  const leavers = BOOK_LEAVERS.filter((value) => value !== (isMail ? 'delete' : vendor === 'dingding' && 'disable'))
  return (
    <>
      <fieldset className="sync-fieldset">
        <legend>{t(`${words}.fields`)}</legend>
        <p className="muted">{t(`${words}.fields-hint`)}</p>
        {BOOK_FIELDS.filter((field) => !isMail || field === 'mobile').map((field) => (
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
        label={t(`${words}.leavers`)}
        hint={t(`${words}.leavers-hint`)}
        name="leavers"
        value={draft.leavers}
        options={leavers.map((value) => ({
          value,
          label: t(isMail && value !== 'delete' ? `mailbox-sync.leavers.${value}` : `book-sync.leavers.${value}`),
        }))}
        onChange={(chosen) => chosen && set({ leavers: chosen })}
      />
    </>
  )
}
