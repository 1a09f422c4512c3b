import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserRow } from '#shared/contract/users.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Filter } from '../../ui/list-filter.ts'
import type { ListEndpoint } from '../../ui/list-page.types.ts'
import type { Column } from '../../ui/list-table.types.ts'
import type { Selection } from '../../ui/selection.ts'
import { PEOPLE_KEY, useOrganizationChoices, useReferenceOptions } from './people-queries.ts'
import { useIdentityColumns, useSearchByFilter } from './use-people-columns.tsx'
import { type ChosenUsers, VerbDialog } from './VerbDialog.tsx'
import type { UserVerb } from './VerbFields.tsx'

/** A person in a list of dormant, locked or frozen people. */
type HeldPerson = Pick<UserRow, 'id' | 'account' | 'name' | 'organization' | 'category'>

/** What the page passes to such a list. */
export type HeldPeopleSlots = {
  /** Shows the progress of a background task. */
  task: (id: string, onClose: () => void) => ReactNode
  /** A person's details at the side. */
  person: (id: string, onClose: () => void) => ReactNode
}

type Props<Row extends HeldPerson> = {
  /** Name of the page, the table and its messages. */
  name: 'sleep-account' | 'lock-list' | 'freeze-account'
  endpoint: ListEndpoint<Row>
  /** The condition of the list, also for an action over all results. */
  fixedQuery: Record<string, string>
  /** The columns of this list, between identity and organisation. */
  columns: readonly Column<Row>[]
  filters: readonly Filter[]
  /** By account by default. */
  defaultSort?: string
  /** The actions available for one row; absent: all. */
  rowVerbs?: (row: Row) => readonly UserVerb[]
  /** Actions on one, on ticked and on all matching people. */
  verbs: readonly UserVerb[]
  /** The end that `extend` changes. */
  endOf?: (row: Row) => string | null
  slots: HeldPeopleSlots
  /** After the sentence below the title. */
  note?: ReactNode
  actions?: ReactNode
  /** `onTask` follows a background task. */
  children?: (onTask: (id: string) => void) => ReactNode
}

type Doing = { verb: UserVerb; chosen: ChosenUsers; until: string | null; clear: () => void }

/** A list of people kept from logging in for the same reason, with the actions that lift it. */
export function HeldPeopleList<Row extends HeldPerson>(props: Props<Row>) {
  const {
    name,
    endpoint,
    fixedQuery,
    columns,
    filters,
    defaultSort = 'account',
    verbs,
    slots,
    note,
    actions,
    children,
  } = props
  const { rowVerbs = () => verbs, endOf = () => null } = props
  const { t } = useTranslation()
  const [doing, setDoing] = useState<Doing | null>(null)
  const [taskId, setTaskId] = useState<string | null>(null)
  const start = (verb: UserVerb, chosen: Selection<Row>, clear: () => void) => {
    const [one, ...others] = 'rows' in chosen ? chosen.rows : []
    setDoing({ verb, chosen, until: one && others.length === 0 && verb === 'extend' ? endOf(one) : null, clear })
  }
  return (
    <ListPage<Row>
      title={t(`${name}.title`)}
      explain={
        <>
          {t(`${name}.explain`)}
          {note}
        </>
      }
      endpoint={endpoint}
      queryKey={PEOPLE_KEY}
      fixedQuery={fixedQuery}
      tableKey={name}
      rowKey="id"
      rowName={(row) => `${row.name} ${row.account}`}
      columns={[...useIdentityColumns<Row>(), ...columns, ...usePlaceColumns<Row>()]}
      filters={[...filters, ...usePlaceFilters()]}
      filtersShown={3}
      searchLabel={t('person.search')}
      defaultSort={defaultSort}
      countLabel={(total, count) => t('person.count', { total, count })}
      actions={actions}
      bulkActions={verbs.map((verb) => ({
        label: t(`person.verb.${verb}`),
        takesAll: true,
        onRun: (chosen, clear) => start(verb, chosen, clear),
      }))}
      rowActions={(row) =>
        rowVerbs(row).map((verb) => (
          <button
            key={verb}
            type="button"
            className="button button-quiet"
            aria-label={t('person.verb-of', { verb: t(`person.verb.${verb}`), name: row.name })}
            onClick={() => start(verb, { rows: [row] }, () => {})}
          >
            {t(`person.verb.${verb}`)}
          </button>
        ))
      }
      empty={t(`${name}.empty`)}
      drawer={{
        title: (row) => (row ? t('person.named', { name: row.name, account: row.account }) : t('person.one')),
        render: (id, { close }) => slots.person(id, close),
      }}
    >
      {doing && <VerbDialog {...doing} onClose={() => setDoing(null)} onDone={doing.clear} onTask={setTaskId} />}
      {taskId && slots.task(taskId, () => setTaskId(null))}
      {children?.(setTaskId)}
    </ListPage>
  )
}

function usePlaceColumns<Row extends HeldPerson>(): Column<Row>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'organization',
      title: t('person-field.organizationId'),
      render: ({ organization }) => organization?.name ?? '—',
    },
    {
      key: 'category',
      title: t('person-field.categoryId'),
      isExtra: true,
      render: ({ category }) => category?.name ?? '—',
    },
  ]
}

function usePlaceFilters(): Filter[] {
  const { t } = useTranslation()
  const { categories } = useReferenceOptions()
  return [
    { name: 'organizationId', label: t('person-field.organizationId'), options: useOrganizationChoices() },
    { name: 'categoryId', label: t('person-field.categoryId'), options: categories },
    useSearchByFilter(),
  ]
}
