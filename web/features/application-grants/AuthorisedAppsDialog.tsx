import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { AntdTheme } from '../../ui/AntdTheme.tsx'
import { DateTimeField } from '../../ui/DateTimeField.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FieldErrorsContext } from '../../ui/field-errors.ts'
import { ListFilters } from '../../ui/ListFilters.tsx'
import { Notices } from '../../ui/Notices.tsx'
import { Waiting } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { AppTree } from './AppTree.tsx'
import { AuthorisedTable } from './AuthorisedTable.tsx'
import { type AuthorisedApps, useAuthorisedApps } from './use-authorised-apps.ts'
import './authorised-apps.css'

type Props = {
  /** A role, an organisation, a category or a person. */
  memberId: string
  onClose: () => void
}

/**
 * Which applications a member is authorised for: what is left in a tree, what they have in a table, and between them the four
 * verbs that move some or all of it.
 */
export function AuthorisedAppsDialog({ memberId, onClose }: Props) {
  const { t } = useTranslation()
  const apps = useAuthorisedApps(memberId)
  const name = apps.left.query.data?.member.name
  return (
    <Dialog
      title={name === undefined ? t('authorise.title.waiting') : t('authorise.title', { name })}
      size="wide"
      onClose={onClose}
      actions={
        <button type="button" className="button" onClick={onClose}>
          {t('action.close')}
        </button>
      }
    >
      <AntdTheme>
        <div className="authorised-apps" aria-busy={apps.isBusy}>
          <Selectable apps={apps} />
          <Verbs apps={apps} />
          <AuthorisedTable memberId={memberId} apps={apps} />
        </div>
      </AntdTheme>
      <Notices />
    </Dialog>
  )
}

function Selectable({ apps }: { apps: AuthorisedApps }) {
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
      {!data && !query.isError && <Waiting lines={6} />}
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

function Verbs({ apps }: { apps: AuthorisedApps }) {
  const { t } = useTranslation()
  const { confirm, cancel, selectable, authorised } = apps.counts
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
        onRun={apps.confirmAll}
      />
      <VerbButton
        label={t('authorise.cancel-all', { count: authorised })}
        isActive={authorised > 0}
        onRun={apps.cancelAll}
      />
    </fieldset>
  )
}

type VerbProps = { label: string; isActive: boolean; isPrimary?: boolean; onRun: () => Promise<void> }

/** One that has nothing to do keeps the focus it has: it is not disabled for the browser. */
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
