import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountField } from '#shared/contract/account-fields.ts'
import type { FieldEditor } from '#shared/contract/field-rules.ts'
import type { PersonalData } from '#shared/contract/profile.ts'
import { gatewayQuery } from '../../platform/queries.ts'
import { customValueText } from '../../ui/custom-value-text.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { UnsavedGuard } from '../../ui/UnsavedGuard.tsx'
import { AvatarSection } from './AvatarSection.tsx'
import { BirthdaySection } from './BirthdaySection.tsx'
import { CustomFieldSection } from './CustomFieldSection.tsx'
import { GenderSection } from './GenderSection.tsx'
import { NicknameSection } from './NicknameSection.tsx'
import { usePersonalData } from './use-personal-data.ts'
import './personal-data.css'

/** What people enter about themselves, saved section by section, and what the institution maintains about them. */
export function PersonalDataPage() {
  const { t } = useTranslation()
  const person = usePersonalData()
  return (
    <div className="page personal-data">
      <header>
        <PageTitle>{t('personal-data.title')}</PageTitle>
        <p className="muted">{t('personal-data.explain')}</p>
      </header>
      {person.isError && <FailedBlock error={person.error} onRetry={() => void person.refetch()} />}
      {person.isPending && <Skeleton lines={6} />}
      {person.data && <Sections person={person.data} />}
    </div>
  )
}

function Sections({ person }: { person: PersonalData }) {
  const [dirty, setDirty] = useState<readonly string[]>([])
  const isOwn = (field: AccountField) => person.fields.editable.includes(field)
  const onDirty = useCallback(
    (section: string, isDirty: boolean) =>
      setDirty((before) => [...before.filter((one) => one !== section), ...(isDirty ? [section] : [])]),
    [],
  )
  return (
    <>
      <UnsavedGuard when={dirty.length > 0} />
      <div className="personal-sections">
        {isOwn('avatar') && <AvatarSection person={person} />}
        {isOwn('nickname') && <NicknameSection person={person} onDirty={onDirty} />}
        {isOwn('birthday') && <BirthdaySection person={person} onDirty={onDirty} />}
        {isOwn('gender') && <GenderSection person={person} onDirty={onDirty} />}
        {person.custom
          .filter(({ isEditable }) => isEditable)
          .map((one) => (
            <CustomFieldSection key={one.field.key} person={person} at={one} onDirty={onDirty} />
          ))}
        <Facts person={person} />
      </div>
    </>
  )
}

function Facts({ person }: { person: PersonalData }) {
  const { t, i18n } = useTranslation()
  const { data: gateway } = useQuery(gatewayQuery())
  const { editable, hidden, owners } = person.fields
  const ownerText = (owner: FieldEditor | undefined) => (owner && owner !== 'self' ? t(`field-owner.${owner}`) : '')
  // Fields that people see but can't change.
  const keptFor = (field: AccountField, value: string | null) =>
    editable.includes(field) || hidden.includes(field)
      ? []
      : [[t(`person-field.${field}`), value, ownerText(owners[field])] as const]
  const facts = [
    [t('personal-data.account'), person.account, ''],
    [t('personal-data.name'), person.name, ownerText(owners.name)],
    [t('personal-data.organization'), person.organizations.join(' / '), ''],
    [t('personal-data.category'), person.category, ''],
    ...keptFor('nickname', person.nick),
    ...keptFor('birthday', person.birthday),
    ...keptFor('gender', t(`person.gender.${person.gender}`)),
    ...person.custom
      .filter(({ isEditable }) => !isEditable)
      .map(({ field, value }) => {
        const text = customValueText(field, value, i18n.language)
        return [field.label, text, ownerText(field.editableBy)] as const
      }),
  ] as const
  return (
    <section className="card personal-section" aria-labelledby="institution-facts">
      <h2 id="institution-facts">{t('personal-data.facts')}</h2>
      <dl className="personal-facts">
        {facts.map(([label, value, owner]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {value || t('personal-data.not-set')}
              {owner && <span className="muted personal-owner">{owner}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <p className="muted">
        {gateway?.contact
          ? t('personal-data.facts.contact', { contact: gateway.contact })
          : t('personal-data.facts.explain')}
      </p>
    </section>
  )
}
