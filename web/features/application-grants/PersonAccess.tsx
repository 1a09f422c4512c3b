import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type PersonAccess as Access, accessOfPerson } from '#shared/contract/application-grants.ts'
import { useIsSuperUser } from '../../platform/session.ts'
import { AppIcon } from '../../ui/AppIcon.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Column } from '../../ui/list-table.types.ts'
import { AccessPathList } from './AccessPathList.tsx'
import { CheckAccessDialog } from './CheckAccessDialog.tsx'
import { AccessTag, ObstacleList } from './EffectiveAccess.tsx'
import { ACCESS_KEY } from './grant-queries.ts'
import { LazyAuthorisedAppsDialog } from './LazyAuthorisedAppsDialog.tsx'
import './access.css'

type Props = {
  userId: string
  name: string
  /** May this reader grant applications to this person? */
  mayAuthorise: boolean
}

/** The applications of a person, each with every path by which they got it. */
export function PersonAccess({ userId, name, mayAuthorise }: Props) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<'authorise' | 'why' | null>(null)
  const isSuper = useIsSuperUser()
  const close = () => setOpen(null)
  return (
    <ListPage<Access>
      embedded
      place="memory"
      title={t('access.of-person')}
      explain={t('access.of-person.explain')}
      actions={
        <>
          {isSuper && (
            <button type="button" className="button" onClick={() => setOpen('why')}>
              {t('access.check')}
            </button>
          )}
          {mayAuthorise && (
            <button
              type="button"
              className="button button-primary"
              aria-label={t('authorise.verb-one', { name })}
              onClick={() => setOpen('authorise')}
            >
              {t('authorise.verb')}
            </button>
          )}
        </>
      }
      endpoint={accessOfPerson}
      fixedQuery={{ userId }}
      queryKey={ACCESS_KEY}
      rowKey="applicationId"
      rowName={({ application }) => application}
      columns={useColumns()}
      filters={[
        {
          name: 'granted',
          label: t('access.column'),
          options: (['1', '0'] as const).map((value) => ({ value, label: t(`access.filter.${value}`) })),
        },
      ]}
      searchLabel={t('access.search')}
      empty={t('access.of-person.none')}
    >
      {open === 'authorise' && <LazyAuthorisedAppsDialog memberId={userId} onClose={close} />}
      {open === 'why' && <CheckAccessDialog of={{ userId }} onClose={close} />}
    </ListPage>
  )
}

function useColumns(): Column<Access>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'application',
      title: t('grant.application'),
      render: ({ appId, application, picture, state }) => (
        <span className="access-app">
          <AppIcon app={{ appId, name: application, picture }} />
          <span>{application}</span>
          {state === 0 && <span className="tag tag-plain">{t('authorise.disabled')}</span>}
        </span>
      ),
    },
    {
      key: 'granted',
      title: t('access.column'),
      render: ({ granted, obstacles }) => (
        <div className="access-verdict">
          <AccessTag isGranted={granted} />
          <ObstacleList obstacles={obstacles} />
        </div>
      ),
    },
    { key: 'paths', title: t('access.paths'), isLong: true, render: ({ paths }) => <AccessPathList paths={paths} /> },
  ]
}
