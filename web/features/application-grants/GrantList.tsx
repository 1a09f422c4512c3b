import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  GRANT_STATES,
  type Grant,
  listGrants,
  removeApplications,
  SUBJECT_KINDS,
} from '#shared/contract/application-grants.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { useMay } from '../../platform/session.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Filter } from '../../ui/list-filter.ts'
import { ChangeDatesDialog } from './ChangeDatesDialog.tsx'
import { GrantImpact } from './GrantImpact.tsx'
import { GRANTS_KEY, refreshGrants } from './grant-queries.ts'
import { useGrantColumns } from './use-grant-columns.tsx'
import { useMemberName } from './use-member-name.ts'
import './access.css'

type Props = {
  title: string
  explain?: string
  actions?: ReactNode
  /** Only the grants of this application, embedded. */
  applicationId?: string
  children?: ReactNode
}

type OpenDialog = { dated: Grant } | { withdrawn: readonly Grant[]; clear?: () => void }

/** Grants of applications with grantor and dates; they can be dated and withdrawn. */
export function GrantList({ title, explain, actions, applicationId, children }: Props) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const mayChange = useMay()('authorise')
  const nameOf = useGrantName()
  const close = () => setOpen(null)
  const columns = useGrantColumns().filter(({ key }) => !(applicationId && key === 'application'))
  return (
    <ListPage<Grant>
      {...(applicationId
        ? { embedded: true, place: 'memory' as const, fixedQuery: { applicationId } }
        : { tableKey: 'application-grants' as const, defaultSort: 'application' })}
      title={title}
      {...(explain && { explain })}
      {...(actions && { actions })}
      endpoint={listGrants}
      queryKey={GRANTS_KEY}
      rowKey="id"
      rowName={({ application, member }) => `${application} · ${member}`}
      columns={columns}
      filters={useFilters()}
      searchLabel={t(applicationId ? 'grant.search-one' : 'grant.search')}
      empty={t('grant.none')}
      {...(mayChange && {
        bulkActions: [
          {
            label: t('grant.withdraw'),
            onRun: (selection, clear) => 'rows' in selection && setOpen({ withdrawn: selection.rows, clear }),
          },
        ],
        rowActions: (grant: Grant) => <RowVerbs grant={grant} onOpen={setOpen} />,
      })}
    >
      {open && 'dated' in open && <ChangeDatesDialog grant={open.dated} name={nameOf(open.dated)} onClose={close} />}
      {open && 'withdrawn' in open && (
        <WithdrawDialog grants={open.withdrawn} onDone={open.clear ?? (() => {})} onClose={close} />
      )}
      {children}
    </ListPage>
  )
}

function useGrantName(): (grant: Grant) => string {
  const memberName = useMemberName()
  return (grant) => `${grant.application} · ${memberName({ ...grant, name: grant.member })}`
}

function RowVerbs({ grant, onOpen }: { grant: Grant; onOpen: (open: OpenDialog) => void }) {
  const { t } = useTranslation()
  const name = useGrantName()(grant)
  return (
    <span className="access-verbs">
      <button
        type="button"
        className="button button-quiet"
        aria-label={t('grant.change-dates-one', { name })}
        onClick={() => onOpen({ dated: grant })}
      >
        {t('grant.change-dates')}
      </button>
      <button
        type="button"
        className="button button-quiet"
        aria-label={t('grant.withdraw-one', { name })}
        onClick={() => onOpen({ withdrawn: [grant] })}
      >
        {t('grant.withdraw')}
      </button>
    </span>
  )
}

type WithdrawProps = { grants: readonly Grant[]; onDone: () => void; onClose: () => void }

function WithdrawDialog({ grants, onDone, onClose }: WithdrawProps) {
  const { t } = useTranslation()
  const memberName = useMemberName()
  const [first] = grants
  const title =
    first && grants.length === 1
      ? t('grant.withdraw.title-one', {
          application: first.application,
          member: memberName({ ...first, name: first.member }),
        })
      : t('grant.withdraw.title')
  const withdraw = async () => {
    let changed = 0
    try {
      for (const [memberId, own] of Map.groupBy(grants, (grant) => grant.memberId)) {
        const done = await call(removeApplications, { body: { memberId, appIds: own.map(({ appId }) => appId) } })
        changed += done.changed
      }
    } finally {
      await refreshGrants()
    }
    notify('well', t('grant.withdrawn', { count: changed }))
    onDone()
  }
  return (
    <ConfirmDialog title={title} verb={t('grant.withdraw')} onConfirm={withdraw} onClose={onClose}>
      <p>{t('grant.withdraw.text', { count: grants.length })}</p>
      {[...Map.groupBy(grants, ({ appId }) => appId)].slice(0, 5).map(([appId, own]) => (
        <GrantImpact
          key={appId}
          apps={[{ appId, name: own[0]?.application ?? appId }]}
          memberIds={own.map(({ memberId }) => memberId)}
          change="withdraw"
        />
      ))}
    </ConfirmDialog>
  )
}

function useFilters(): Filter[] {
  const { t } = useTranslation()
  return [
    {
      name: 'kind',
      label: t('grant.kind'),
      options: SUBJECT_KINDS.map((value) => ({ value, label: t(`subject-kind.${value}`) })),
    },
    {
      name: 'state',
      label: t('grant.state'),
      options: GRANT_STATES.map((value) => ({ value, label: t(`grant-state.${value}`) })),
    },
    {
      name: 'endsWithin',
      label: t('grant.ends-within'),
      options: (['7', '14', '30', '90'] as const).map((value) => ({ value, label: t(`grant.ends-within.${value}`) })),
    },
  ]
}
