import { Link, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Overview } from '#shared/contract/overview.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Panel } from './Panel.tsx'
import { useNumbers } from './use-numbers.ts'

type Todo = Overview['todos'][number]

/** Where to handle each kind; without a page, further down on this one. */
const TODO_LINKS: Partial<Record<Todo['kind'], { to: string; search?: Record<string, string> }>> = {
  locked: { to: '/manage/organization', search: { state: 'locked' } },
  'locked-by-failures': { to: '/manage/organization', search: { state: 'locked' } },
  grants: { to: '/manage/application-grants', search: { endsWithin: '14', sort: 'validUntil' } },
  appointments: { to: '/manage/administrator-manage' },
  'app-keys': { to: '/manage/application-manage' },
  tasks: { to: '/manage/background-tasks' },
}

const PROBLEM_KINDS = new Set<Todo['kind']>(['jobs', 'gateways', 'messages', 'logouts', 'tasks'])

/** Tasks waiting for an administrator. */
export function Todos({ todos }: { todos: readonly Todo[] }) {
  const { t } = useTranslation()
  return (
    <Panel title={t('overview.todos')}>
      {todos.length > 0 ? (
        <ul className="overview-todos">
          {todos.map((todo) => (
            <li key={todo.kind} className={PROBLEM_KINDS.has(todo.kind) ? 'overview-wrong' : undefined}>
              <Icon name={PROBLEM_KINDS.has(todo.kind) ? 'warning' : 'notification'} />
              <TodoText todo={todo} />
            </li>
          ))}
        </ul>
      ) : (
        <p className="overview-nothing">
          <Icon name="check" />
          {t('overview.todos.none')}
        </p>
      )}
    </Panel>
  )
}

function TodoText({ todo: { kind, count } }: { todo: Todo }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const { routesByPath } = useRouter()
  const text = t(`overview.todo.${kind}`, { count, number: numbers.count(count) })
  const place = TODO_LINKS[kind]
  if (!place || !(place.to in routesByPath)) return <span>{text}</span>
  return (
    <Link to={place.to} search={(place.search ?? {}) as never}>
      {text}
    </Link>
  )
}
