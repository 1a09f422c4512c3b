import { useTranslation } from 'react-i18next'
import { PERSON_STATES, type UserRow } from '#shared/contract/users.ts'
import { customValueText } from '../../ui/custom-value-text.ts'
import type { Filter } from '../../ui/list-filter.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { Time } from '../../ui/Time.tsx'
import { PersonState } from './PersonStates.tsx'
import { usePersonFields, useReferenceOptions, useRoleChoices } from './people-queries.ts'

function LastLoginCell({ row: { lastLogin } }: { row: UserRow }) {
  const { t } = useTranslation()
  if (!lastLogin) return <span className="muted">{t('person.never')}</span>
  return (
    <span className="muted">
      <span className="unbroken">
        <Time value={lastLogin.at} short />
      </span>
      {lastLogin.onCampus !== null && (
        <>
          {' '}
          <span className="unbroken">· {t(lastLogin.onCampus ? 'place.on-campus' : 'place.off-campus')}</span>
        </>
      )}
    </span>
  )
}

function StatesCell({ row: { states, isSuperUser } }: { row: UserRow }) {
  const { t } = useTranslation()
  const [first, ...others] = states
  return (
    <span className="person-cell">
      {first && <PersonState details={first} />}
      {others.length > 0 && (
        <span className="muted" title={others.map(({ state }) => t(`person-state.${state}`)).join(t('list.separator'))}>
          {`+${others.length}`}
        </span>
      )}
      {isSuperUser && <span className="tag">{t('person.super')}</span>}
    </span>
  )
}

/** Name and account; the account opens the person at the side. */
export function useIdentityColumns<Row extends Pick<UserRow, 'account' | 'name'>>(): Column<Row>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'account',
      title: t('person-field.account'),
      sortable: true,
      opensDrawer: true,
      render: ({ account }) => <bdi className="tabular">{account}</bdi>,
    },
    { key: 'name', title: t('person-field.name'), sortable: true, headsCard: true, render: ({ name }) => name },
  ]
}

/** @param isWhole the list covers more than one organisation. */
export function usePeopleColumns(isWhole: boolean): Column<UserRow>[] {
  const { t, i18n } = useTranslation()
  const { custom } = usePersonFields()
  return [
    ...useIdentityColumns<UserRow>(),
    { key: 'state', title: t('person.state'), render: (row) => <StatesCell row={row} /> },
    { key: 'category', title: t('person-field.categoryId'), render: ({ category }) => category?.name ?? '—' },
    {
      key: 'personnelType',
      title: t('person-field.personnelTypeId'),
      isExtra: true,
      render: ({ personnelType }) => personnelType?.name ?? '—',
    },
    {
      key: 'organization',
      title: t('person-field.organizationId'),
      isExtra: !isWhole,
      render: ({ organization }) => organization?.name ?? '—',
    },
    { key: 'lastLogin', title: t('person.last-login'), render: (row) => <LastLoginCell row={row} /> },
    {
      key: 'phone',
      title: t('person-field.phone'),
      render: ({ phone }) => <bdi className="tabular">{phone ?? '—'}</bdi>,
    },
    { key: 'mailbox', title: t('person-field.mailbox'), isExtra: true, render: ({ mailbox }) => mailbox ?? '—' },
    {
      key: 'createdAt',
      title: t('person.created'),
      sortable: true,
      isExtra: true,
      render: ({ createdAt }) => <Time value={createdAt} />,
    },
    ...custom
      .filter(({ isSensitive }) => !isSensitive)
      .map((field) => ({
        key: field.name,
        title: field.label,
        isExtra: true,
        render: (row: UserRow) => customValueText(field, row.custom[field.key], i18n.language) || '—',
      })),
  ]
}

const SEARCH_BY = ['1', '2', '3', '4'] as const

/** Which field the search applies to. */
export function useSearchByFilter(): Filter {
  const { t } = useTranslation()
  return {
    name: 'searchBy',
    label: t('person.search-by'),
    options: SEARCH_BY.map((value) => ({ value, label: t(`person.search-by.${value}`) })),
  }
}

export function usePeopleFilters(inOrganization: boolean): Filter[] {
  const { t } = useTranslation()
  const { categories, personnelTypes } = useReferenceOptions()
  const roles = useRoleChoices()
  const { custom } = usePersonFields()
  const yes = [{ value: '1', label: t('person.yes') }]
  return [
    useSearchByFilter(),
    { name: 'categoryId', label: t('person-field.categoryId'), options: categories },
    {
      name: 'state',
      label: t('person.state'),
      options: PERSON_STATES.map((value) => ({ value, label: t(`person-state.${value}`) })),
    },
    { name: 'personnelTypeId', label: t('person-field.personnelTypeId'), options: personnelTypes },
    { name: 'roleId', label: t('person.role'), options: roles },
    { name: 'isSuperUser', label: t('person.super'), options: yes },
    ...custom.map(
      (field): Filter => ({
        name: field.name,
        label: field.kind === 'date' ? t('custom-field.day-filter', { name: field.label }) : field.label,
        ...(field.kind === 'choice' && {
          options: field.choices.map(({ code, label }) => ({ value: code, label })),
        }),
      }),
    ),
    ...(inOrganization ? [{ name: 'directOnly', label: t('person.direct-only'), options: yes }] : []),
  ]
}
