import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DateTimeField } from '../../ui/DateTimeField.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FieldErrorsContext } from '../../ui/field-errors.ts'
import { ListFilters } from '../../ui/ListFilters.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { AppTree } from './AppTree.tsx'
import { AuthorisedTable } from './AuthorisedTable.tsx'
import { GrantImpact } from './GrantImpact.tsx'
import { type AuthorisedApps, useAuthorisedApps } from './use-authorised-apps.ts'
import { useMemberName } from './use-member-name.ts'
import './authorised-apps.css'

type Props = {
  /** A role, an organisation, a category or a person. */
  memberId: string
  onClose: () => void
}

/**
 * The applications granted to a subject: available ones in a tree, granted ones in a table, and four buttons to move
 * some or all.
 */
export function AuthorisedAppsDialog({ memberId, onClose }: Props) {
  const { t } = useTranslation()
  const apps = useAuthorisedApps(memberId)
  const memberName = useMemberName()
  const member = apps.left.query.data?.member
  return (
    <Dialog
      title={member ? t('authorise.title', { name: memberName(member) }) : t('authorise.title.waiting')}
      size="wide"
      onClose={onClose}
    >
      <div className="authorised-apps" aria-busy={apps.isBusy}>
        <SelectableApps memberId={memberId} apps={apps} />
        <TransferButtons apps={apps} />
        <AuthorisedTable memberId={memberId} apps={apps} />
      </div>
    </Dialog>
  )
}

function SelectableApps({ memberId, apps }: { memberId: string; apps: AuthorisedApps }) {
  const { t } = useTranslation()
  const { query, search, setSearch, ticked, setTicked } = apps.left
  const { data } = query
  const state = { pageIndex: 1, pageSize: 10, search, sort: undefined, filters: {}, open: undefined }
  const title = t('authorise.left', { count: apps.counts.selectable })
  return (
    <section className="authorised-side" aria-labelledby="authorise-left">
      <h3 id="authorise-left">{title}</h3>
      <ListFilters
        filters={[]}
        searchLabel={t('authorise.search-left')}
        state={state}
        onChange={(change) => setSearch(change.search ?? '')}
      />
      {query.isError && !data && <FailedBlock error={query.error} onRetry={() => void query.refetch()} />}
      {!data && !query.isError && <Skeleton lines={6} />}
      {data && data.applications.length > 0 && (
        <AppTree
          label={title}
          categories={data.categories}
          apps={data.applications}
          ticked={ticked}
          onTick={setTicked}
        />
      )}
      {data && data.applications.length === 0 && (
        <p className="muted authorised-none">{t(search ? 'authorise.none-found' : 'authorise.none-left')}</p>
      )}
      {data && data.openToAll > 0 && <p className="muted">{t('authorise.open-to-all', { count: data.openToAll })}</p>}
      <FieldErrorsContext value={apps.errors}>
        <DatesFields apps={apps} />
      </FieldErrorsContext>
      <GrantImpact
        apps={data?.applications.filter(({ appId }) => ticked.has(appId)) ?? []}
        memberIds={[memberId]}
        change="give"
      />
    </section>
  )
}

function DatesFields({ apps: { dates, setDates, errors } }: { apps: AuthorisedApps }) {
  const { t } = useTranslation()
  const fields = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (Object.keys(errors).length > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [errors])
  return (
    <fieldset className="authorised-dates" ref={fields}>
      <legend>{t('authorise.dates')}</legend>
      <DateTimeField
        label={t('authorise.valid-from')}
        name="validFrom"
        isOptional
        value={dates.validFrom}
        onChange={(validFrom) => setDates({ ...dates, validFrom })}
      />
      <DateTimeField
        label={t('authorise.valid-until')}
        name="validUntil"
        isOptional
        value={dates.validUntil}
        onChange={(validUntil) => setDates({ ...dates, validUntil })}
      />
    </fieldset>
  )
}

function TransferButtons({ apps }: { apps: AuthorisedApps }) {
  const { t } = useTranslation()
  const { confirm, cancel, selectable, authorised } = apps.counts
  const [asked, setAsked] = useState<ConfirmAllAction | null>(null)
  return (
    <fieldset className="authorised-verbs">
      <legend className="visually-hidden">{t('authorise.verbs')}</legend>
      <VerbButton
        isPrimary
        label={confirm > 0 ? t('authorise.confirm-count', { count: confirm }) : t('authorise.confirm')}
        isActive={confirm > 0}
        onRun={apps.confirm}
      />
      <VerbButton
        label={cancel > 0 ? t('authorise.cancel-count', { count: cancel }) : t('authorise.cancel')}
        isActive={cancel > 0}
        onRun={apps.cancel}
      />
      <VerbButton
        label={t('authorise.confirm-all', { count: selectable })}
        isActive={selectable > 0}
        onRun={() => setAsked({ verb: 'confirm-all', count: selectable })}
      />
      <VerbButton
        label={t('authorise.cancel-all', { count: authorised })}
        isActive={authorised > 0}
        onRun={() => setAsked({ verb: 'cancel-all', count: authorised })}
      />
      {asked && <ConfirmAllDialog apps={apps} asked={asked} onClose={() => setAsked(null)} />}
    </fieldset>
  )
}

/** The count shown in the question: the server refuses if it is different by then. */
type ConfirmAllAction = { verb: 'confirm-all' | 'cancel-all'; count: number }

function ConfirmAllDialog({
  apps,
  asked,
  onClose,
}: {
  apps: AuthorisedApps
  asked: ConfirmAllAction
  onClose: () => void
}) {
  const { t } = useTranslation()
  const { verb, count } = asked
  const memberName = useMemberName()
  const member = apps.left.query.data?.member
  const name = member ? memberName(member) : ''
  const isDated = verb === 'confirm-all' && (apps.dates.validFrom || apps.dates.validUntil)
  const run = verb === 'confirm-all' ? apps.confirmAll : apps.cancelAll
  return (
    <ConfirmDialog
      title={t(`authorise.ask.${verb}`, { count })}
      verb={t(`authorise.ask.${verb}.verb`, { count })}
      tone={verb === 'confirm-all' ? 'primary' : 'danger'}
      // The result is shown in the dialog behind, at its dates or in a notice.
      onConfirm={async () => void run(count)}
      onClose={onClose}
    >
      <p>{t(isDated ? 'authorise.ask.confirm-all.text-dated' : `authorise.ask.${verb}.text`, { name, count })}</p>
    </ConfirmDialog>
  )
}

type VerbProps = { label: string; isActive: boolean; isPrimary?: boolean; onRun: () => unknown }

/** Not natively disabled, so that it keeps the focus when nothing is left to do. */
const VerbButton = ({ label, isActive, isPrimary = false, onRun }: VerbProps) => (
  <button
    type="button"
    className={isPrimary ? 'button button-primary' : 'button'}
    aria-disabled={!isActive || undefined}
    onClick={() => isActive && void onRun()}
  >
    {label}
  </button>
)
