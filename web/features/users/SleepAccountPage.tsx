import { useTranslation } from 'react-i18next'
import { type DormantPerson, listDormantPeople } from '#shared/contract/account-holds.ts'
import { useMay } from '../../platform/session.ts'
import type { Filter } from '../../ui/list-filter.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { StateWord } from '../../ui/StateWord.tsx'
import { Time } from '../../ui/Time.tsx'
import { DormancyRunNote, HeldDormancyRun } from './DormancyRun.tsx'
import { HeldPeopleList, type HeldPeopleSlots } from './HeldPeopleList.tsx'
import { STATE_TONES } from './PersonStates.tsx'
import type { UserVerb } from './VerbFields.tsx'

/** Dormant people, since when and what comes next; people who soon will be, and exempt ones. */
export function SleepAccountPage(slots: HeldPeopleSlots) {
  const may = useMay()
  const ifMay = (verb: UserVerb, permission: 'edit' | 'unlock'): UserVerb[] => (may(permission) ? [verb] : [])
  return (
    <>
      <HeldDormancyRun />
      <HeldPeopleList<DormantPerson>
        name="sleep-account"
        note={<DormancyRunNote />}
        endpoint={listDormantPeople}
        fixedQuery={{ dormancy: 'dormant' }}
        columns={useColumns()}
        filters={useFilters()}
        defaultSort="dormantSince"
        verbs={[
          ...ifMay('wake', 'unlock'),
          ...ifMay('notify', 'edit'),
          ...ifMay('exempt', 'edit'),
          ...ifMay('end_exemption', 'edit'),
          ...ifMay('lock', 'edit'),
          ...ifMay('disable', 'edit'),
        ]}
        rowVerbs={({ dormantSince, exemption }) => [
          ...(dormantSince ? ifMay('wake', 'unlock') : []),
          ...ifMay(exemption ? 'end_exemption' : 'exempt', 'edit'),
        ]}
        slots={slots}
      />
    </>
  )
}

/** What applies first: a state without logins, an exemption, or what happens without a login. */
function NextCell({ row: { closedState, dormantSince, exemption, next } }: { row: DormantPerson }) {
  const { t } = useTranslation()
  if (closedState) return <StateWord tone={STATE_TONES[closedState]}>{t(`person-state.${closedState}`)}</StateWord>
  if (exemption) {
    return (
      <StateWord tone="primary">
        {exemption.until ? t('sleep-account.exempt-until') : t('sleep-account.exempt')}{' '}
        {exemption.until && <Time value={exemption.until} />}
      </StateWord>
    )
  }
  if (!next) return dormantSince ? <span className="muted">{t('sleep-account.next.none')}</span> : '—'
  return (
    <StateWord tone="caution">
      {t(`sleep-account.next.${next.term}`)} <Time value={next.at} />
    </StateWord>
  )
}

function useColumns(): Column<DormantPerson>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'dormantSince',
      title: t('sleep-account.since'),
      sortable: true,
      render: ({ dormantSince }) => (dormantSince ? <Time value={dormantSince} ago /> : '—'),
    },
    { key: 'next', title: t('sleep-account.next'), render: (row) => <NextCell row={row} /> },
    {
      key: 'lastLogin',
      title: t('person.last-login'),
      render: ({ lastLogin }) =>
        lastLogin ? <Time value={lastLogin} ago /> : <span className="muted">{t('person.never')}</span>,
    },
  ]
}

function useFilters(): Filter[] {
  const { t } = useTranslation()
  return [
    {
      name: 'dormancy',
      label: t('sleep-account.shown'),
      any: t('dormancy-phase.dormant'),
      options: (['soon', 'exempt'] as const).map((value) => ({ value, label: t(`dormancy-phase.${value}`) })),
    },
    { kind: 'period', label: t('sleep-account.since'), names: { from: 'dormantFrom', to: 'dormantTo' } },
    {
      name: 'neverLoggedIn',
      label: t('person.last-login'),
      options: [
        { value: '1', label: t('person.never') },
        { value: '0', label: t('sleep-account.has-logged-in') },
      ],
    },
  ]
}
