import { useTranslation } from 'react-i18next'
import { FREEZE_CAUSES, type FreezeCause } from '#shared/contract/users.ts'
import { DateTimeField } from '../../ui/DateTimeField.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'

export type UserVerb =
  | 'disable'
  | 'enable'
  | 'lock'
  | 'unlock'
  | 'freeze'
  | 'extend'
  | 'thaw'
  | 'wake'
  | 'exempt'
  | 'end_exemption'
  | 'notify'
  | 'delete'
  | 'restore'
  | 'join'
  | 'leave'

/** The form of an action; without a chosen cause, "other" is used. */
export type VerbDraft = {
  reason: string
  /** For a freeze: an internal note. */
  note: string
  cause: FreezeCause | ''
  from: string | null
  until: string | null
  roleId: string
}
export const EMPTY_VERB_DRAFT: VerbDraft = { reason: '', note: '', cause: '', from: null, until: null, roleId: '' }

/** Actions whose form has an end. */
const DATED_VERBS: readonly UserVerb[] = ['lock', 'freeze', 'extend', 'exempt']

type Props<Draft extends VerbDraft> = { verb: UserVerb; more: Draft; onChange: (more: Draft) => void }

/** Reason, start and end, as far as the action has them. */
export function VerbFields<Draft extends VerbDraft>({ verb, more, onChange }: Props<Draft>) {
  const { t } = useTranslation()
  return (
    <>
      {verb === 'freeze' && (
        <>
          <SelectField
            label={t('freeze.cause')}
            name="cause"
            value={more.cause || 'other'}
            options={FREEZE_CAUSES.map((one) => ({ value: one, label: t(`freeze-cause.${one}`) }))}
            onChange={(cause) => onChange({ ...more, cause })}
            isWide
          />
          <DateTimeField
            label={t('person.from')}
            name="from"
            hint={t('person.from-hint')}
            value={more.from}
            onChange={(from) => onChange({ ...more, from })}
            isOptional
          />
        </>
      )}
      {DATED_VERBS.includes(verb) && (
        <DateTimeField
          label={t('person.until')}
          name="until"
          hint={t(verb === 'exempt' ? 'person.exempt-hint' : 'person.until-hint')}
          value={more.until}
          min={more.from}
          onChange={(until) => onChange({ ...more, until })}
          isOptional
        />
      )}
      {verb !== 'notify' && (
        <TextField
          label={t(verb === 'freeze' ? 'freeze.reason' : 'person.reason')}
          hint={t('person.reason-hint')}
          value={more.reason}
          maxLength={200}
          onChange={(reason) => onChange({ ...more, reason })}
          isOptional
        />
      )}
      {verb === 'freeze' && (
        <TextField
          label={t('freeze.note')}
          name="note"
          hint={t('freeze.note-hint')}
          value={more.note}
          maxLength={200}
          onChange={(note) => onChange({ ...more, note })}
          isOptional
        />
      )}
    </>
  )
}
