import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  checkIpRange,
  type IpRange,
  ipRanges,
  type NetworkHint,
  RANGE_KINDS,
  type RangeKind,
} from '#shared/contract/ip-ranges.ts'
import { splitNetworks } from '#shared/rules/split-networks.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { saveResource } from '../../platform/save-resource.ts'
import { ForceSave } from '../../ui/ForceSave.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { NameField } from '../../ui/NameField.tsx'
import { givenNames, NamesFields } from '../../ui/NamesFields.tsx'
import { NoteField } from '../../ui/NoteField.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import { useDebouncedText } from '../../ui/use-option-search.ts'
import { RANGES_KEY, refreshRanges } from './ip-range-queries.ts'
import { RangeImpact } from './RangeImpact.tsx'
import { rangeWords } from './range-words.ts'

type Draft = {
  name: string
  names: IpRange['names']
  kind: RangeKind
  networks: string
  note: string
  enabled: boolean
}

const draftOf = (range: IpRange | null): Draft => ({
  name: range?.name ?? '',
  names: range?.names ?? {},
  kind: range?.kind ?? 'campus',
  networks: range?.networks.join('\n') ?? '',
  note: range?.note ?? '',
  enabled: range?.enabled ?? true,
})

const fieldsOf = ({ names, networks, ...rest }: Draft) => ({
  ...rest,
  names: givenNames(names),
  networks: splitNetworks(networks),
})

type Props = {
  /** Null: a new one. */
  edited: IpRange | null
  onClose: () => void
}

/** A range with its networks; likely mistakes in them are reported while typing. */
export function IpRangeForm({ edited, onClose }: Props) {
  const { t } = useTranslation()
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(edited, draftOf)
  const { hints, problem } = useNetworkCheck(edited?.id, draft.networks)
  const save = async (force: boolean) => {
    await saveResource(ipRanges, loaded, { ...fieldsOf(draft), force })
    await refreshRanges()
    notify('well', t('ip-range.saved', { name: draft.name }))
  }
  return (
    <FormDialog<IpRange>
      title={edited ? t('ip-range.edit-one', { name: edited.shownName }) : t('ip-range.create')}
      verb={t('action.save')}
      size="wide"
      isDirty={isDirty}
      {...conflictOf(rangeWords(t))}
      impact={<RangeImpact range={loaded} fields={fieldsOf(draft)} />}
      onSubmit={() => save(false)}
      errorAction={(error) => <ForceSave error={error} onForce={() => save(true).then(onClose)} />}
      onClose={onClose}
    >
      <NameField label={t('ip-range.name')} value={draft.name} onChange={(name) => set({ name })} />
      <SelectField
        label={t('ip-range.kind')}
        name="kind"
        value={draft.kind}
        hint={t(`ip-range.kind-hint.${draft.kind}`)}
        options={RANGE_KINDS.map((value) => ({ value, label: t(`ip-range.kind.${value}`) }))}
        onChange={(kind) => kind && set({ kind })}
      />
      <TextAreaField
        label={t('ip-range.networks')}
        name="networks"
        hint={t('ip-range.networks-hint')}
        error={problem}
        value={draft.networks}
        rows={5}
        placeholder={'10.20.0.0/16\n10.30.0.1-10.30.0.20\n2001:db8::/32'}
        onChange={(networks) => set({ networks })}
      />
      <Hints hints={hints} />
      <NamesFields names={draft.names} onChange={(names) => set({ names })} />
      <Switch
        label={t('ip-range.in-use')}
        hint={t('ip-range.in-use-hint')}
        checked={draft.enabled}
        onChange={(enabled) => set({ enabled })}
      />
      <NoteField label={t('ip-range.note')} value={draft.note} onChange={(note) => set({ note })} />
    </FormDialog>
  )
}

/** Statuses of refused input; after a failure, saving says so. */
const ABOUT_INPUT: readonly number[] = [400, 409, 422]

/** The server's check of the networks, once typing pauses. */
function useNetworkCheck(id: string | undefined, typed: string): { hints: readonly NetworkHint[]; problem?: string } {
  const current = splitNetworks(typed.normalize('NFKC')).join('\n')
  const text = useDebouncedText(current)
  const { data, error } = useQuery({
    queryKey: [RANGES_KEY, 'check', id, text],
    queryFn: ({ signal }) =>
      call(checkIpRange, { body: { ...(id && { id }), networks: text.split('\n') } }, { signal }),
    enabled: text !== '',
    retry: false,
  })
  // The result still belongs to the previous text.
  if (text !== current) return { hints: [] }
  const isAboutNetworks = isRefusal(error) && ABOUT_INPUT.includes(error.state)
  return { hints: data?.hints ?? [], ...(isAboutNetworks && { problem: error.message }) }
}

/** More of them would say the same. */
const HINTS_SHOWN = 5

function Hints({ hints }: { hints: readonly NetworkHint[] }) {
  const { t } = useTranslation()
  return (
    <div className="range-hints" role="status">
      {hints.slice(0, HINTS_SHOWN).map(({ network, hint, name, otherNetwork }) => (
        <p key={`${network} ${hint}`}>
          <Icon name="warning" />
          <span>{t(`ip-range.hint.${hint}`, { network, name, otherNetwork })}</span>
        </p>
      ))}
      {hints.length > HINTS_SHOWN && <p>{t('ip-range.hint.more', { count: hints.length - HINTS_SHOWN })}</p>}
    </div>
  )
}
