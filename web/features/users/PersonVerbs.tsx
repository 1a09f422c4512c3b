import { useTranslation } from 'react-i18next'
import type { UserDetails } from '#shared/contract/users.ts'
import { isSuperUser as isSuper, useUser } from '../../platform/session.ts'
import { MenuButton } from '../../ui/MenuButton.tsx'
import type { UserVerb } from './VerbFields.tsx'

export type PersonTask = UserVerb | 'edit' | 'reset' | 'set_administrator' | 'cancel_administrator'

type Props = {
  person: UserDetails
  /** The action already offered next to its cause. */
  elsewhere: PersonTask | null
  onTask: (task: PersonTask) => void
}

/** The actions that the administrator may take on this person now. */
function usePersonTasks(person: UserDetails): PersonTask[] {
  const user = useUser()
  const { may, deletedAt, isSuperUser } = person
  if (deletedAt) return may.edit ? ['restore'] : []
  const others = user?.userId === person.id ? [] : tasksWithOthers(person)
  const role: PersonTask[] = [isSuperUser ? 'cancel_administrator' : 'set_administrator']
  const mayAll = isSuper(user)
  const isOther = user?.userId !== person.id && mayAll
  const roles: PersonTask[] = mayAll ? ['join', 'leave'] : []
  return [...(may.edit ? (['edit'] as const) : []), ...others, ...roles, ...(isOther ? role : [])]
}

/** Not available for oneself. */
function tasksWithOthers({ may, states, plannedFreeze, dormancyExemption }: UserDetails): PersonTask[] {
  const held = new Set(states.map(({ state }) => state))
  const hasFreeze = held.has('frozen') || plannedFreeze !== null
  const tasks: [PersonTask, boolean][] = [
    ['unlock', may.unlock && held.has('locked')],
    ['thaw', may.unlock && hasFreeze],
    ['wake', may.unlock && held.has('dormant')],
    ['extend', may.edit && hasFreeze],
    ['reset', may.reset],
    ['enable', may.edit && held.has('disabled')],
    ['disable', may.edit && !held.has('disabled')],
    ['lock', may.edit && !held.has('locked')],
    ['freeze', may.edit && !held.has('frozen')],
    ['notify', may.edit && held.has('dormant')],
    ['exempt', may.edit],
    ['end_exemption', may.edit && dormancyExemption !== null],
    ['delete', may.edit],
  ]
  return tasks.flatMap(([task, isOffered]) => (isOffered ? [task] : []))
}

const MAX_BUTTONS = 3

export function PersonVerbs({ person, elsewhere, onTask }: Props) {
  const { t } = useTranslation()
  const tasks = usePersonTasks(person).filter((task) => task !== elsewhere)
  if (tasks.length === 0) return null
  const inSight = tasks.length <= MAX_BUTTONS + 1 ? tasks : tasks.slice(0, MAX_BUTTONS)
  const rest = tasks.slice(inSight.length)
  return (
    <div className="person-verbs">
      {inSight.map((task) => (
        <button
          key={task}
          type="button"
          className={task === 'delete' ? 'button button-danger' : 'button'}
          onClick={() => onTask(task)}
        >
          {t(`person.verb.${task}`)}
        </button>
      ))}
      {rest.length > 0 && (
        <MenuButton
          label={t('list.more-verbs')}
          className="button"
          entries={rest.map((task) => ({
            label: t(`person.verb.${task}`),
            isDanger: task === 'delete',
            onSelect: () => onTask(task),
          }))}
        >
          {t('list.more-verbs')}
        </MenuButton>
      )}
    </div>
  )
}
