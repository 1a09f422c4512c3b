import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { listApplications, type ManagedApplication } from '#shared/contract/application-manage.ts'
import { type IpRange, ipRanges, RANGE_KINDS } from '#shared/contract/ip-ranges.ts'
import { type OrganizationFound, searchOrganizations } from '#shared/contract/organizations.ts'
import { type ReferenceEntry, userCategories } from '#shared/contract/reference-data.ts'
import { roleOptions } from '#shared/contract/roles.ts'
import { weekdayName } from '../../platform/format-time.ts'
import { ChoiceList } from '../../ui/ChoiceList.tsx'
import { Picker, type PickerOption } from '../../ui/Picker.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { type Dimension, type RuleDraft, toClock } from './rule-draft.ts'
import { ownZone } from './rule-words.ts'

type PartProps = {
  draft: RuleDraft
  set: (change: Partial<RuleDraft>) => void
  /** Parts that are switched on but restrict nothing. */
  missing: readonly Dimension[]
}

type ShellProps = PartProps & { part: Dimension; disabled?: boolean; note?: string | undefined; children: ReactNode }

/** A part of a rule: applies to everything, or to the selection below. */
function Part({ part, draft, set, disabled = false, note, children }: ShellProps) {
  const { t } = useTranslation()
  const name = useId()
  const narrows = draft.narrows[part] && !disabled
  const choose = (some: boolean) => set({ narrows: { ...draft.narrows, [part]: some } })
  return (
    <fieldset className="rule-part" aria-describedby={note ? `${name}-note` : undefined}>
      <legend>{t(`access-rule.${part}`)}</legend>
      <div className="rule-part-choice">
        {[false, true].map((some) => (
          <label key={String(some)} className="choice">
            <input
              type="radio"
              name={name}
              checked={narrows === some}
              disabled={disabled}
              onChange={() => choose(some)}
            />
            <span>{t(some ? `access-rule.${part}.some` : `access-rule.${part}.all`)}</span>
          </label>
        ))}
      </div>
      {note && (
        <p className="muted" id={`${name}-note`}>
          {note}
        </p>
      )}
      {narrows && <div className="rule-part-fields">{children}</div>}
    </fieldset>
  )
}

const useLack = ({ missing }: PartProps, part: Dimension): string | undefined => {
  const { t } = useTranslation()
  return missing.includes(part) ? t('access-rule.lacking') : undefined
}

const several = { multiple: true, isOptional: true } as const

type Named = { id: string; code: string; name: string }
const toRole = ({ id, code, name }: Named): PickerOption => ({ id, label: name, hint: code })
const toCategory = ({ code, shownName }: ReferenceEntry): PickerOption => ({ id: code, label: shownName, hint: code })
const toOrganization = ({ id, name, path }: OrganizationFound): PickerOption => ({
  id,
  label: name,
  hint: path.map((step) => step.name).join(' / '),
})
const toApplication = ({ appId, name }: ManagedApplication): PickerOption => ({ id: appId, label: name, hint: appId })
const toRange = ({ id, shownName, networks }: IpRange): PickerOption => ({ id, label: shownName, hint: networks[0] })

export function WhoPart(props: PartProps) {
  const { draft, set } = props
  const { t } = useTranslation()
  const isCaptcha = draft.outcome === 'captcha'
  return (
    <Part {...props} part="who" disabled={isCaptcha} note={isCaptcha ? t('access-rule.captcha-who') : undefined}>
      <Switch
        label={t('access-rule.administrators')}
        hint={t('access-rule.administrators.hint')}
        checked={draft.administrators}
        onChange={(administrators) => set({ administrators })}
      />
      <Picker<ReferenceEntry>
        {...several}
        label={t('access-rule.categories')}
        name="who.categories"
        error={useLack(props, 'who')}
        endpoint={userCategories.list}
        toOption={toCategory}
        value={draft.categories}
        onChange={(categories) => set({ categories })}
      />
      <Picker<OrganizationFound>
        {...several}
        label={t('access-rule.organizations')}
        name="who.organizations"
        hint={t('access-rule.organizations.hint')}
        endpoint={searchOrganizations}
        toOption={toOrganization}
        value={draft.organizations}
        onChange={(organizations) => set({ organizations })}
      />
      <Picker<Named>
        {...several}
        label={t('access-rule.roles')}
        name="who.roles"
        endpoint={roleOptions}
        toOption={toRole}
        value={draft.roles}
        onChange={(roles) => set({ roles })}
      />
    </Part>
  )
}

export function WherePart(props: PartProps) {
  const { draft, set } = props
  const { t } = useTranslation()
  return (
    <Part {...props} part="where">
      <SelectField
        label={t('access-rule.place')}
        name="where.place"
        value={draft.place}
        options={(['inside', 'outside'] as const).map((value) => ({ value, label: t(`access-rule.place.${value}`) }))}
        onChange={(place) => place && set({ place })}
      />
      <ChoiceList
        label={t('access-rule.kinds')}
        name="where.kinds"
        error={useLack(props, 'where')}
        value={draft.kinds}
        options={RANGE_KINDS.map((value) => ({ value, label: t(`ip-range.kind.${value}`) }))}
        onChange={(kinds) => set({ kinds })}
      />
      <Picker<IpRange>
        {...several}
        label={t('access-rule.range-list')}
        name="where.ranges"
        hint={t('access-rule.range-list.hint')}
        endpoint={ipRanges.list}
        toOption={toRange}
        value={draft.ranges}
        onChange={(ranges) => set({ ranges })}
      />
    </Part>
  )
}

const WEEK = [1, 2, 3, 4, 5, 6, 7]

export function WhenPart(props: PartProps) {
  const { draft, set } = props
  const { t, i18n } = useTranslation()
  const isOvernight = draft.from !== '' && draft.to !== '' && toClock(draft.to) <= toClock(draft.from)
  const zones = [...new Set([draft.zone, 'Asia/Shanghai', ownZone(), 'UTC'])]
  return (
    <Part {...props} part="when">
      <ChoiceList
        label={t('access-rule.weekdays')}
        name="when.weekdays"
        hint={t('access-rule.weekdays.hint')}
        error={useLack(props, 'when')}
        value={draft.weekdays.map(String)}
        options={WEEK.map((day) => ({ value: String(day), label: weekdayName(day, i18n.language) }))}
        onChange={(days: string[]) => set({ weekdays: days.map(Number).toSorted((a, b) => a - b) })}
      />
      <TextField
        label={t('access-rule.from')}
        name="when.from"
        value={draft.from}
        isOptional
        maxLength={8}
        placeholder="22:00"
        onChange={(from) => set({ from })}
      />
      <TextField
        label={t('access-rule.to')}
        name="when.to"
        value={draft.to}
        isOptional
        maxLength={8}
        placeholder="06:00"
        hint={isOvernight ? t('access-rule.overnight') : undefined}
        onChange={(to) => set({ to })}
      />
      <SelectField
        label={t('access-rule.zone')}
        name="when.zone"
        value={draft.zone}
        options={zones.map((value) => ({ value, label: value }))}
        onChange={(zone) => zone && set({ zone })}
      />
    </Part>
  )
}

export function ApplicationsPart(props: PartProps) {
  const { draft, set } = props
  const { t } = useTranslation()
  return (
    <Part {...props} part="applications">
      <Switch
        label={t('access-rule.portal')}
        hint={t('access-rule.portal.hint')}
        checked={draft.portal}
        onChange={(portal) => set({ portal })}
      />
      <Picker<ManagedApplication>
        {...several}
        label={t('access-rule.application-list')}
        name="applications"
        error={useLack(props, 'applications')}
        endpoint={listApplications}
        toOption={toApplication}
        value={draft.applications}
        onChange={(applications) => set({ applications })}
      />
    </Part>
  )
}
