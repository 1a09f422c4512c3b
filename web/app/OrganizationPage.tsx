import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BackgroundTask } from '#shared/contract/background-tasks.ts'
import { EndingResult } from '#shared/contract/organization-endings.ts'
import { type OrganizationNode, organizationDetails } from '#shared/contract/organizations.ts'
import { LazyAuthorisedAppsDialog } from '../features/application-grants/LazyAuthorisedAppsDialog.tsx'
import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { OrganizationTree } from '../features/organizations/OrganizationTree.tsx'
import { PeopleList } from '../features/users/PeopleList.tsx'
import { call } from '../platform/api.ts'
import { isRefusal } from '../platform/refusal.ts'
import { useIsSuperUser, useMay } from '../platform/session.ts'
import { Drawer } from '../ui/Drawer.tsx'
import { Icon } from '../ui/Icon.tsx'
import { useValues } from '../ui/list-state.ts'
import { NotFoundCard } from '../ui/StateBlock.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import { PERSON_SLOTS } from './person-slots.tsx'
import { TaskDialog } from './TaskDialog.tsx'
import './organization-page.css'

/** The organisations, next to the people of the selected one; on a phone the tree is in a drawer. */
export function OrganizationPage() {
  const { t } = useTranslation()
  const [values, setValues] = useValues('address')
  const [history, setHistory] = useState<OrganizationNode | null>(null)
  const [authorised, setAuthorised] = useState<string | null>(null)
  const isSuperUser = useIsSuperUser()
  const mayAuthorise = useMay()('authorise')
  const chosen = useSelectedOrganization(values['organization'])
  const { task, changed, ...tasks } = useTreeTask((gone) => {
    if (gone.id === chosen.id) setValues({ organization: gone.into?.id, pageIndex: undefined, open: undefined })
  })
  const moreVerbs = (node: OrganizationNode) => [
    ...(mayAuthorise ? [{ label: t('organization.applications'), onSelect: () => setAuthorised(node.id) }] : []),
    ...(isSuperUser ? [{ label: t('organization.history'), onSelect: () => setHistory(node) }] : []),
  ]
  return (
    <div className="organization-page">
      <TreePanel name={chosen.name}>
        {(onChosen) => (
          <OrganizationTree
            value={chosen.id}
            onChange={(id) => {
              setValues({ organization: id ?? undefined, pageIndex: undefined, open: undefined })
              onChosen()
            }}
            onTask={tasks.show}
            changed={changed}
            moreVerbs={moreVerbs}
          />
        )}
      </TreePanel>
      {chosen.isGone ? (
        <NotFoundCard title={t('organization.title')} onBack={() => setValues({ organization: undefined })} />
      ) : (
        <PeopleList
          organization={chosen.id === null ? null : { id: chosen.id, name: chosen.name ?? '' }}
          actions={<ImportLink />}
          slots={PERSON_SLOTS}
          task={(id, onClose) => <TaskDialog id={id} onClose={onClose} />}
        />
      )}
      {task && <TaskDialog key={task.id} {...task} onClose={tasks.hide} onEnded={tasks.end} />}
      {authorised && <LazyAuthorisedAppsDialog memberId={authorised} onClose={() => setAuthorised(null)} />}
      {history && (
        <Drawer title={t('organization.history-of', { name: history.name })} onClose={() => setHistory(null)}>
          <HistoryTab kind="organization" id={history.id} />
        </Drawer>
      )}
    </div>
  )
}

/**
 * The task on the tree that is being followed, even while its dialog is closed. @param onGone called with what the task
 * removed.
 */
function useTreeTask(onGone: (gone: EndingResult) => void) {
  const [task, setTask] = useState<{ id: string; isOpen: boolean } | null>(null)
  const [changed, setChanged] = useState(0)
  return {
    task,
    /** Increases when the tree has changed. */
    changed,
    show: (id: string) => setTask({ id, isOpen: true }),
    hide: () => setTask((shown) => shown && { ...shown, isOpen: false }),
    end: ({ result }: BackgroundTask) => {
      const ended = EndingResult.safeParse(result).data
      if (ended?.gone) onGone(ended)
      setChanged((before) => before + 1)
    },
  }
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The organisation named in the address, which is untrusted input. */
function useSelectedOrganization(wanted: string | undefined): {
  id: string | null
  name: string | null
  isGone: boolean
} {
  const { i18n } = useTranslation()
  const id = wanted && UUID.test(wanted) ? wanted : null
  const { data, error } = useQuery({
    queryKey: ['organizations', 'chosen', id],
    queryFn: ({ signal }) => call(organizationDetails, { query: { id: id ?? '' } }, { signal }),
    enabled: id !== null,
  })
  const name = data && (data.names[i18n.language as keyof typeof data.names] ?? data.name)
  const isGone = wanted !== undefined && (id === null || isRefusal(error, 'organization.not-found'))
  return { id, name: id === null ? null : (name ?? null), isGone }
}

/** A card next to the list; on a phone a button that opens a drawer. */
function TreePanel({ name, children }: { name: string | null; children: (onChosen: () => void) => ReactNode }) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  const [isOpen, setOpen] = useState(false)
  if (!isNarrow) return <aside className="card organization-side">{children(() => {})}</aside>
  return (
    <>
      <button type="button" className="button organization-open" onClick={() => setOpen(true)}>
        <Icon name="cluster" />
        <span>{name ?? t('organization.everybody')}</span>
        <Icon name="down" />
      </button>
      {isOpen && (
        <Drawer title={t('organization.title')} onClose={() => setOpen(false)}>
          {children(() => setOpen(false))}
        </Drawer>
      )}
    </>
  )
}

function ImportLink() {
  const { t } = useTranslation()
  if (!useMay()('import')) return null
  return (
    <Link to="/manage/organization/import" className="button">
      {t('organization.import')}
    </Link>
  )
}
