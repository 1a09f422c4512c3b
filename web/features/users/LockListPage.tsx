import { useTranslation } from 'react-i18next'
import { type LockedPerson, listLockedPeople } from '#shared/contract/account-holds.ts'
import { LOCK_KINDS } from '#shared/contract/users.ts'
import { useMay } from '../../platform/session.ts'
import type { Filter } from '../../ui/list-filter.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { StateWord } from '../../ui/StateWord.tsx'
import { Time } from '../../ui/Time.tsx'
import { HeldPeopleList, type HeldPeopleSlots } from './HeldPeopleList.tsx'

/** Locked people, by whom and until when, with the actions to unlock. */
export function LockListPage(slots: HeldPeopleSlots) {
  const may = useMay()
  return (
    <HeldPeopleList<LockedPerson>
      name="lock-list"
      endpoint={listLockedPeople}
      fixedQuery={{ state: 'locked' }}
      columns={useColumns()}
      filters={useFilters()}
      verbs={may('unlock') ? ['unlock'] : []}
      slots={slots}
    />
  )
}

/** Who or what locked them, and which login methods that blocks. */
function KindCell({ row: { kind, by, closed } }: { row: LockedPerson }) {
  const { t } = useTranslation()
  const methods = closed.map((method) => t(`login-hold.${method}`)).join(t('list.separator'))
  return (
    <span className="person-cell">
      <StateWord tone={kind === 'administrator' ? 'danger' : 'caution'}>{t(`lock-kind.${kind}`)}</StateWord>
      {by && <span className="muted">{by}</span>}
      {methods && <span className="muted">{methods}</span>}
    </span>
  )
}

function useColumns(): Column<LockedPerson>[] {
  const { t } = useTranslation()
  return [
    { key: 'kind', title: t('lock-list.kind'), render: (row) => <KindCell row={row} /> },
    {
      key: 'until',
      title: t('held-person.until'),
      render: ({ until }) =>
        until ? <Time value={until} /> : <span className="muted">{t('lock-list.until-unlocked')}</span>,
    },
    { key: 'since', title: t('held-person.since'), render: ({ since }) => (since ? <Time value={since} ago /> : '—') },
    {
      key: 'lastAddress',
      title: t('lock-list.last-address'),
      render: ({ lastAddress }) => <bdi className="tabular">{lastAddress ?? '—'}</bdi>,
    },
    { key: 'reason', title: t('held-person.reason'), isLong: true, render: ({ reason }) => reason ?? '—' },
    { key: 'by', title: t('held-person.by'), isExtra: true, render: ({ by }) => by ?? '—' },
  ]
}

function useFilters(): Filter[] {
  const { t } = useTranslation()
  return [
    {
      name: 'lockedBy',
      label: t('lock-list.kind'),
      options: LOCK_KINDS.map((value) => ({ value, label: t(`lock-kind.${value}`) })),
    },
  ]
}
