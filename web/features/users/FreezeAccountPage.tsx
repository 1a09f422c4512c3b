import { useTranslation } from 'react-i18next'
import { type FrozenPerson, listFrozenPeople } from '#shared/contract/account-holds.ts'
import { FREEZE_CAUSES, FREEZE_PHASES } from '#shared/contract/users.ts'
import { useMay } from '../../platform/session.ts'
import type { Filter } from '../../ui/list-filter.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { StateWord } from '../../ui/StateWord.tsx'
import { Time } from '../../ui/Time.tsx'
import { useAddressTask } from '../../ui/use-address-task.ts'
import { FreezeListDialog } from './FreezeListDialog.tsx'
import { HeldPeopleList, type HeldPeopleSlots } from './HeldPeopleList.tsx'

/** People who are or will be frozen, why and until when; more can be frozen by account. */
export function FreezeAccountPage(slots: HeldPeopleSlots) {
  const { t } = useTranslation()
  const may = useMay()
  const [isFreezing, setFreezing] = useAddressTask('freeze')
  return (
    <HeldPeopleList<FrozenPerson>
      name="freeze-account"
      endpoint={listFrozenPeople}
      fixedQuery={{ freeze: 'any' }}
      columns={useColumns()}
      filters={useFilters()}
      verbs={[...(may('edit') ? (['extend'] as const) : []), ...(may('unlock') ? (['thaw'] as const) : [])]}
      endOf={({ until }) => until}
      slots={slots}
      actions={
        may('edit') && (
          <button type="button" className="button button-primary" onClick={() => setFreezing(true)}>
            {t('freeze-account.freeze-list')}
          </button>
        )
      }
    >
      {(onTask) => isFreezing && <FreezeListDialog onClose={() => setFreezing(false)} onTask={onTask} />}
    </HeldPeopleList>
  )
}

function useColumns(): Column<FrozenPerson>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'phase',
      title: t('person.state'),
      render: ({ phase }) => (
        <StateWord tone={phase === 'begun' ? 'primary' : 'quiet'}>{t(`freeze-phase.${phase}`)}</StateWord>
      ),
    },
    {
      key: 'cause',
      title: t('freeze.cause'),
      render: ({ cause }) => (cause ? t(`freeze-cause.${cause}`) : '—'),
    },
    { key: 'from', title: t('person.from'), render: ({ from }) => <Time value={from} /> },
    {
      key: 'until',
      title: t('held-person.until'),
      render: ({ until }) =>
        until ? <Time value={until} /> : <span className="muted">{t('freeze-account.until-thawed')}</span>,
    },
    { key: 'reason', title: t('held-person.reason'), isLong: true, render: ({ reason }) => reason ?? '—' },
    { key: 'note', title: t('freeze.note'), isExtra: true, isLong: true, render: ({ note }) => note ?? '—' },
    { key: 'by', title: t('held-person.by'), isExtra: true, render: ({ by }) => by ?? '—' },
  ]
}

function useFilters(): Filter[] {
  const { t } = useTranslation()
  return [
    {
      name: 'freeze',
      label: t('person.state'),
      options: FREEZE_PHASES.map((value) => ({ value, label: t(`freeze-phase.${value}`) })),
    },
    {
      name: 'freezeCause',
      label: t('freeze.cause'),
      options: FREEZE_CAUSES.map((value) => ({ value, label: t(`freeze-cause.${value}`) })),
    },
  ]
}
