import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type UserDetails, userDetails } from '#shared/contract/users.ts'
import { call } from '../../platform/api.ts'
import { useDrawerTitle } from '../../ui/drawer-title.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { LoginCheck, useRemedy } from './LoginCheck.tsx'
import { EditPersonDialog } from './PersonDialogs.tsx'
import { PersonProfile } from './PersonProfile.tsx'
import { PersonRecords } from './PersonRecords.tsx'
import { PersonSessions } from './PersonSessions.tsx'
import { type PersonTask, PersonVerbs } from './PersonVerbs.tsx'
import { PERSON_KEY } from './people-queries.ts'
import { LinkDialog, type OneTimeLink, ResetDialog } from './ResetDialog.tsx'
import { SuperUserDialog } from './SuperUserDialog.tsx'
import { VerbDialog } from './VerbDialog.tsx'
import './users.css'

/** Parts of a person's page that other features contribute. */
export type PersonSlots = {
  access?: (person: UserDetails) => ReactNode
  roles?: (person: UserDetails) => ReactNode
  history?: (person: UserDetails) => ReactNode
  /** A dialog that explains access to an application. */
  application?: (person: UserDetails, onClose: () => void) => ReactNode
}

type Props = { id: string; slots: PersonSlots; onClose: () => void }

/** A person's details and actions. */
export function PersonDrawer({ id, slots, onClose }: Props) {
  const { i18n } = useTranslation()
  const query = useQuery({
    queryKey: [PERSON_KEY, id, i18n.language],
    queryFn: ({ signal }) => call(userDetails, { query: { id } }, { signal }),
  })
  if (query.isError) return <FailedBlock error={query.error} onRetry={() => void query.refetch()} onBack={onClose} />
  if (!query.data) return <Skeleton lines={6} />
  return <Person person={query.data} slots={slots} onClose={onClose} />
}

function Person({ person, slots, onClose }: { person: UserDetails; slots: PersonSlots; onClose: () => void }) {
  const { t } = useTranslation()
  const [task, setTask] = useState<PersonTask | null>(null)
  const [link, setLink] = useState<OneTimeLink | null>(null)
  const { id, may, deletedAt } = person
  // Names may repeat, and below the tabs nothing else identifies the person.
  useDrawerTitle(t('person.named', person))
  const tabs = [
    {
      key: 'profile',
      label: t('person.profile'),
      render: () => <PersonProfile person={person} roles={deletedAt ? undefined : slots.roles?.(person)} />,
    },
    {
      key: 'sessions',
      label: t('person.sessions'),
      render: () => <PersonSessions id={id} name={t('person.named', person)} mayEdit={may.edit && !deletedAt} />,
    },
    // Roles and applications of a deleted person are hidden until they are restored.
    ...(slots.access && !deletedAt
      ? [{ key: 'applications', label: t('person.applications'), render: () => slots.access?.(person) }]
      : []),
    { key: 'records', label: t('person.records'), render: () => <PersonRecords id={id} /> },
    ...(slots.history ? [{ key: 'history', label: t('person.history'), render: () => slots.history?.(person) }] : []),
  ]
  return (
    <div className="person">
      <LoginCheck person={person} onTask={setTask} {...(slots.application && { application: slots.application })} />
      <PersonVerbs person={person} elsewhere={useRemedy(person)} onTask={setTask} />
      <Tabs label={person.name} tabs={tabs} />
      <TaskDialog person={person} task={task} onClose={() => setTask(null)} onLink={setLink} onGone={onClose} />
      {link && <LinkDialog name={t('person.named', person)} link={link} onClose={() => setLink(null)} />}
    </div>
  )
}

type TaskProps = {
  person: UserDetails
  task: PersonTask | null
  onClose: () => void
  onLink: (link: OneTimeLink) => void
  onGone: () => void
}

function TaskDialog({ person, task, onClose, onLink, onGone }: TaskProps) {
  if (task === null) return null
  if (task === 'edit') return <EditPersonDialog person={person} onClose={onClose} />
  if (task === 'reset') return <ResetDialog person={person} onClose={onClose} onLink={onLink} />
  if (task === 'set_administrator' || task === 'cancel_administrator') {
    return <SuperUserDialog person={person} what={task} onClose={onClose} />
  }
  const chosen = { rows: [person] }
  const freeze = person.plannedFreeze ?? person.states.find(({ state }) => state === 'frozen')
  const until = task === 'extend' ? (freeze?.until ?? null) : null
  return (
    <VerbDialog
      verb={task}
      chosen={chosen}
      until={until}
      onClose={onClose}
      {...(task === 'delete' && { onDone: onGone })}
    />
  )
}
