import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { changeBirthday, type PersonalData } from '#shared/contract/profile.ts'
import { birthYears, daysInMonth } from '#shared/rules/birthday.ts'
import { call } from '../../platform/api.ts'
import { intlTags } from '../../platform/format-time.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import type { SelectOption } from '../../ui/select-options.ts'
import { SectionForm } from './SectionForm.tsx'
import { type OnDirty, useDraft, useSave } from './use-personal-data.ts'

type Parts = { year: string; month: string; day: string }

const partsOf = (birthday: string | null): Parts => {
  const [year = '', month = '', day = ''] = birthday?.split('-') ?? []
  return { year, month, day }
}

/** A leap year, so that 29 February can be chosen before the year. */
const LEAP_YEAR = 2000

/** Clears a day that the new month doesn't have. */
function withPart(before: Parts, part: keyof Parts, value: string): Parts {
  const next = { ...before, [part]: value }
  const most = next.month ? daysInMonth(Number(next.year) || LEAP_YEAR, Number(next.month)) : 31
  return Number(next.day) > most ? { ...next, day: '' } : next
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

export function BirthdaySection({ person, onDirty }: { person: PersonalData; onDirty: OnDirty }) {
  const { t } = useTranslation()
  const [incomplete, setIncomplete] = useState(false)
  const draft = useDraft('birthday', partsOf(person.birthday), onDirty)
  const { year, month, day } = draft.value
  const given = [year, month, day].filter(Boolean).length
  const save = useSave(async (birthday: string | null) => {
    const body = { birthday, version: person.version }
    const { version } = await call(changeBirthday, { query: { id: person.userId }, body })
    return { version, birthday }
  }, draft.discard)
  const submit = () => {
    setIncomplete(given !== 0 && given !== 3)
    if (given === 3) save.mutate(`${year}-${month}-${day}`)
    else if (given === 0) save.mutate(null)
  }
  return (
    <SectionForm
      title={t('personal-data.birthday')}
      isDirty={draft.isDirty}
      isSaving={save.isPending}
      error={incomplete && given !== 3 ? t('personal-data.birthday.incomplete') : save.message}
      onSave={submit}
      onDiscard={() => {
        draft.discard()
        save.reset()
      }}
    >
      <Selects parts={draft.value} onChange={draft.change} />
      {given > 0 && (
        <button
          type="button"
          className="button button-quiet personal-clear"
          onClick={() => draft.change({ year: '', month: '', day: '' })}
        >
          {t('personal-data.birthday.clear')}
        </button>
      )}
    </SectionForm>
  )
}

function Selects({ parts, onChange }: { parts: Parts; onChange: (parts: Parts) => void }) {
  const { t, i18n } = useTranslation()
  const monthName = new Intl.DateTimeFormat(intlTags(i18n.language as Language), { month: 'long', timeZone: 'UTC' })
  const years = birthYears(new Date()).map((year) => ({ value: String(year), label: String(year) }))
  const months = Array.from({ length: 12 }, (_, index) => ({
    value: twoDigits(index + 1),
    label: monthName.format(Date.UTC(LEAP_YEAR, index)),
  }))
  const most = parts.month ? daysInMonth(Number(parts.year) || LEAP_YEAR, Number(parts.month)) : 31
  const days = Array.from({ length: most }, (_, index) => ({ value: twoDigits(index + 1), label: String(index + 1) }))
  const one = (part: keyof Parts, options: SelectOption[]) => (
    <SelectField
      label={t(`personal-data.birthday.${part}`)}
      value={parts[part]}
      none="–"
      options={options}
      onChange={(value) => onChange(withPart(parts, part, value))}
    />
  )
  return (
    <div className="personal-birthday">
      {one('year', years)}
      {one('month', months)}
      {one('day', days)}
    </div>
  )
}
