import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exportUsers } from '#shared/contract/user-imports.ts'
import { listUsers, type UserRow } from '#shared/contract/users.ts'
import { lazyPart } from '../../platform/lazy-part.ts'
import { useIsSuperUser, useMay } from '../../platform/session.ts'
import type { BulkAction as ListVerb } from '../../ui/BulkBar.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import { useAddressTask } from '../../ui/use-address-task.ts'
import { LazyPersonDrawer } from './LazyPersonDrawer.tsx'
import type { PersonSlots } from './PersonDrawer.tsx'
import { PEOPLE_KEY } from './people-queries.ts'
import { LinkDialog, type OneTimeLink } from './ResetDialog.tsx'
import { usePeopleColumns, usePeopleFilters } from './use-people-columns.tsx'
import { type ChosenUsers, VerbDialog } from './VerbDialog.tsx'
import type { UserVerb } from './VerbFields.tsx'
import './users.css'

const BatchEditDialog = lazyPart(() => import('./BatchEditDialog.tsx'), 'BatchEditDialog')
const CreatePersonDialog = lazyPart(() => import('./PersonDialogs.tsx'), 'CreatePersonDialog')

type Props = {
  /** This organisation and everything below it; null: everybody. */
  organization: { id: string; name: string } | null
  /** Further fixed filters, such as a state. */
  fixedQuery?: Record<string, string>
  /** Right of the title, before "new": import, export. */
  actions?: ReactNode
  /** Parts of a person's page that other features contribute. */
  slots?: PersonSlots
  /** Shows the progress of a background task. */
  task?: (id: string, onClose: () => void) => ReactNode
}

type PendingVerb = { verb: UserVerb | 'edit'; chosen: ChosenUsers; clear: () => void }

/** The people of an organisation, with the actions for one or many. */
export function PeopleList({ organization, fixedQuery, actions, slots = {}, task }: Props) {
  const { t } = useTranslation()
  const [isCreating, setCreating] = useAddressTask('new')
  const [link, setLink] = useState<{ name: string; link: OneTimeLink } | null>(null)
  const [doing, setDoing] = useState<PendingVerb | null>(null)
  const [taskId, setTaskId] = useState<string | null>(null)
  const may = useMay()
  const verbs = useListVerbs(setDoing)
  const create = (
    <button type="button" className="button button-primary" onClick={() => setCreating(true)}>
      {t('person.new')}
    </button>
  )
  const onTask = task ? setTaskId : undefined
  return (
    <ListPage<UserRow>
      title={organization?.name ?? t('person.everybody')}
      filteredTitle={organization?.name ?? t('overview.people')}
      endpoint={listUsers}
      {...(may('import') && { exportEndpoint: exportUsers })}
      queryKey={PEOPLE_KEY}
      fixedQuery={{ ...fixedQuery, ...(organization && { organizationId: organization.id }) }}
      tableKey="people"
      rowKey="id"
      rowName={({ name, account }) => `${name} ${account}`}
      columns={usePeopleColumns(organization === null)}
      filters={usePeopleFilters(organization !== null)}
      filtersShown={3}
      countLabel={(total, count) => t(organization ? 'person.count-below' : 'person.count', { total, count })}
      searchLabel={t('person.search')}
      defaultSort="account"
      actions={
        <>
          {actions}
          {may('edit') && create}
        </>
      }
      bulkActions={verbs}
      empty={may('edit') && create}
      drawer={{
        title: (row) => (row ? t('person.named', { name: row.name, account: row.account }) : t('person.one')),
        render: (id, { close }) => <LazyPersonDrawer id={id} slots={slots} onClose={close} />,
      }}
    >
      {isCreating && (
        <Suspense>
          <CreatePersonDialog
            organization={organization}
            onClose={() => setCreating(false)}
            onLink={(name, given) => setLink({ name, link: given })}
          />
        </Suspense>
      )}
      {link && <LinkDialog {...link} onClose={() => setLink(null)} />}
      {doing && <PendingVerbDialog doing={doing} onClose={() => setDoing(null)} onTask={onTask} />}
      {taskId && task?.(taskId, () => setTaskId(null))}
    </ListPage>
  )
}

type PendingVerbProps = { doing: PendingVerb; onClose: () => void; onTask: ((id: string) => void) | undefined }

function PendingVerbDialog({ doing: { verb, chosen, clear }, onClose, onTask }: PendingVerbProps) {
  if (verb === 'edit')
    return (
      <Suspense>
        <BatchEditDialog chosen={chosen} onClose={onClose} onDone={clear} onTask={onTask} />
      </Suspense>
    )
  return <VerbDialog verb={verb} chosen={chosen} onClose={onClose} onDone={clear} {...(onTask && { onTask })} />
}

const isGone = ({ deletedAt }: UserRow): boolean => deletedAt !== null
const has = (state: string) => (row: UserRow) => row.states.some((one) => one.state === state)

/** Whether an action makes sense for a person. */
const VERB_APPLIES: Record<UserVerb | 'edit', (row: UserRow) => boolean> = {
  disable: (row) => !isGone(row) && !has('disabled')(row),
  freeze: (row) => !isGone(row),
  extend: has('frozen'),
  edit: (row) => !isGone(row),
  enable: has('disabled'),
  thaw: has('frozen'),
  wake: has('dormant'),
  notify: has('dormant'),
  exempt: (row) => !isGone(row),
  end_exemption: (row) => !isGone(row),
  lock: (row) => !isGone(row),
  unlock: has('locked'),
  delete: (row) => !isGone(row),
  restore: isGone,
  join: (row) => !isGone(row),
  leave: (row) => !isGone(row),
}
/** Ordered by frequency; the first are shown. */
const VERB_PERMISSIONS = [
  ['disable', 'edit'],
  ['freeze', 'edit'],
  ['join', 'roles'],
  ['edit', 'edit'],
  ['enable', 'edit'],
  ['lock', 'edit'],
  ['leave', 'roles'],
  ['delete', 'edit'],
  ['restore', 'edit'],
  ['unlock', 'unlock'],
  ['thaw', 'unlock'],
] as const

function useListVerbs(onDo: (doing: PendingVerb) => void): ListVerb<UserRow>[] {
  const { t } = useTranslation()
  const may = useMay()
  const isSuperUser = useIsSuperUser()
  const allowed = VERB_PERMISSIONS.filter(([, permission]) => (permission === 'roles' ? isSuperUser : may(permission)))
  return allowed.map(([verb]) => ({
    label: t(`person.verb.${verb}`),
    takesAll: true,
    isDanger: verb === 'delete',
    isEnabled: (rows) => rows.some(VERB_APPLIES[verb]),
    onRun: (chosen, clear) => onDo({ verb, chosen, clear }),
  }))
}
