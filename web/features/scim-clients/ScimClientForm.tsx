import { useTranslation } from 'react-i18next'
import {
  DEFAULT_SCIM_CALLS_PER_MINUTE,
  DEFAULT_SCIM_DISABLED_PER_DAY,
  DEFAULT_SCIM_MOVED_PER_DAY,
  DEFAULT_SCIM_RENAMED_PER_DAY,
  SCIM_CHANGE_KINDS,
  SCIM_LIMITS,
  SCIM_SCOPES,
  type ScimClient,
  type ScimClientFields,
  scimClients,
} from '#shared/contract/scim-clients.ts'
import { notify } from '../../platform/notices.ts'
import { saveResource } from '../../platform/save-resource.ts'
import { ChoiceList } from '../../ui/ChoiceList.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NameField } from '../../ui/NameField.tsx'
import { NoteField } from '../../ui/NoteField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import { clientWords } from './client-words.ts'
import { refreshClients } from './scim-client-queries.ts'

/** The form's state; numbers as text. */
type Draft = {
  [Name in keyof ScimClientFields]: number extends ScimClientFields[Name] ? string : ScimClientFields[Name]
}

const draftOf = (client: ScimClient | null): Draft => ({
  name: client?.name ?? '',
  enabled: client?.enabled ?? true,
  scopes: client?.scopes ?? ['users.write'],
  callsPerMinute: String(client?.callsPerMinute ?? DEFAULT_SCIM_CALLS_PER_MINUTE),
  maxDisabledPerDay: String(client?.maxDisabledPerDay ?? DEFAULT_SCIM_DISABLED_PER_DAY),
  maxMovedPerDay: String(client?.maxMovedPerDay ?? DEFAULT_SCIM_MOVED_PER_DAY),
  maxRenamedPerDay: String(client?.maxRenamedPerDay ?? DEFAULT_SCIM_RENAMED_PER_DAY),
  maxCreatedPerDay: String(client?.maxCreatedPerDay ?? ''),
  note: client?.note ?? '',
})

/** Without digits: not a number, which the server refuses; zero would let it disable nobody. */
const toNumber = (text: string): number => Number.parseInt(text, 10)

const toFields = (draft: Draft): ScimClientFields => ({
  ...draft,
  callsPerMinute: toNumber(draft.callsPerMinute),
  maxDisabledPerDay: toNumber(draft.maxDisabledPerDay),
  maxMovedPerDay: toNumber(draft.maxMovedPerDay),
  maxRenamedPerDay: toNumber(draft.maxRenamedPerDay),
  maxCreatedPerDay: draft.maxCreatedPerDay === '' ? null : toNumber(draft.maxCreatedPerDay),
})

type Props = {
  /** Null: a new one. */
  edited: ScimClient | null
  onCreated: (client: ScimClient) => void
  onClose: () => void
}

/** The scopes and limits of a client. */
export function ScimClientForm({ edited, onCreated, onClose }: Props) {
  const { t } = useTranslation()
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(edited, draftOf)
  // The form closes after saving; the token is offered after that.
  let created: ScimClient | null = null
  const save = async () => {
    const saved = await saveResource(scimClients, loaded, toFields(draft))
    if (!loaded) created = saved
    await refreshClients()
    notify('well', t('scim-client.saved', { name: draft.name }))
  }
  return (
    <FormDialog<ScimClient>
      title={edited ? t('scim-client.edit-one', { name: edited.name }) : t('scim-client.create')}
      verb={t('action.save')}
      isDirty={isDirty}
      {...conflictOf(clientWords(t))}
      onSubmit={save}
      onClose={() => (created ? onCreated(created) : onClose())}
    >
      <ClientFields draft={draft} set={set} />
    </FormDialog>
  )
}

const digits = (text: string) => text.replace(/\D/g, '')

function ClientFields({ draft, set }: { draft: Draft; set: (change: Partial<Draft>) => void }) {
  const { t } = useTranslation()
  return (
    <>
      <NameField label={t('scim-client.name')} value={draft.name} onChange={(name) => set({ name })} />
      <ChoiceList
        label={t('scim-client.scopes')}
        name="scopes"
        value={draft.scopes}
        hint={t('scim-client.scopes-hint')}
        options={SCIM_SCOPES.map((value) => ({ value, label: t(`scim-client.scope.${value}`) }))}
        onChange={(scopes) => set({ scopes })}
      />
      {SCIM_CHANGE_KINDS.map((kind) => (
        <TextField
          key={kind}
          label={t(`scim-client.${SCIM_LIMITS[kind]}`)}
          name={SCIM_LIMITS[kind]}
          value={draft[SCIM_LIMITS[kind]]}
          hint={t(`scim-client.${SCIM_LIMITS[kind]}-hint`)}
          isOptional={kind === 'created'}
          inputMode="numeric"
          maxLength={6}
          onChange={(text) => set({ [SCIM_LIMITS[kind]]: digits(text) })}
        />
      ))}
      <TextField
        label={t('scim-client.callsPerMinute')}
        name="callsPerMinute"
        value={draft.callsPerMinute}
        inputMode="numeric"
        maxLength={4}
        onChange={(text) => set({ callsPerMinute: digits(text) })}
      />
      <Switch
        label={t('scim-client.enabled')}
        hint={t('scim-client.enabled-hint')}
        checked={draft.enabled}
        onChange={(enabled) => set({ enabled })}
      />
      <NoteField label={t('scim-client.note')} value={draft.note} onChange={(note) => set({ note })} />
    </>
  )
}
