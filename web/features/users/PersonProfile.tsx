import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isCustomName } from '#shared/contract/field-rules.ts'
import type { UserDetails } from '#shared/contract/users.ts'
import { formatDay } from '../../platform/format-time.ts'
import { customValueText } from '../../ui/custom-value-text.ts'
import { FactList } from '../../ui/FactList.tsx'
import { FieldOwners } from '../../ui/FieldOwners.tsx'
import { Time } from '../../ui/Time.tsx'
import { useCustomLabel } from '../../ui/use-custom-columns.ts'
import { PersonStates } from './PersonStates.tsx'
import { usePersonFields } from './people-queries.ts'

type Props = { person: UserDetails; roles?: ReactNode }

/** A person's data, as text. */
export function PersonProfile({ person, roles }: Props) {
  const { t, i18n } = useTranslation()
  const { custom } = usePersonFields()
  const customLabel = useCustomLabel()
  const nameOf = (field: string) => (isCustomName(field) ? customLabel(field) : t(`person-field.${field as 'name'}`))
  const moment = (value: string | null) => (value ? <Time value={value} /> : null)
  const exemption: [string, ReactNode][] = person.dormancyExemption
    ? [[t('person.exempt'), moment(person.dormancyExemption.until) ?? t('person.exempt-without-end')]]
    : []
  const rows: [string, ReactNode][] = [
    [
      t('person-field.account'),
      <span className="tabular" key="account">
        {person.account}
      </span>,
    ],
    [t('person.state'), <PersonStates key="state" {...person} />],
    [t('person-field.organizationId'), person.organizationPath.join(' / ')],
    [
      t('person-field.secondaryOrganizationIds'),
      person.secondaryOrganizations.map(({ name }) => name).join(t('list.separator')),
    ],
    [t('person-field.categoryId'), person.category?.name],
    [t('person-field.personnelTypeId'), person.personnelType?.name],
    ...(roles
      ? []
      : ([[t('person.roles'), person.roles.map(({ name }) => name).join(t('list.separator'))]] as [
          string,
          ReactNode,
        ][])),
    [t('person-field.phone'), person.phone],
    [t('person-field.mailbox'), person.mailbox],
    [t('person-field.alias'), person.alias],
    [t('person-field.gender'), t(`person.gender.${person.gender}`)],
    [t('person-field.birthday'), person.birthday && formatDay(person.birthday, i18n.language)],
    [t('person-field.idNumber'), t(person.hasIdNumber ? 'person.on-file' : 'person.not-on-file')],
    ...custom.map((field): [string, ReactNode] => [
      field.label,
      customValueText(field, person.custom[field.key], i18n.language),
    ]),
    [t('person.password'), t(person.hasPassword ? 'person.password-set' : 'person.password-none')],
    [t('person-field.validFrom'), moment(person.validFrom)],
    [t('person-field.validUntil'), moment(person.validUntil)],
    [t('person.last-login'), moment(person.lastLoginAt) ?? t('person.never')],
    ...exemption,
    [t('person.created'), moment(person.createdAt)],
  ]
  return (
    <>
      <FactList rows={rows} />
      <FieldOwners owners={person.fieldOwners} nameOf={nameOf} />
      {roles}
    </>
  )
}
