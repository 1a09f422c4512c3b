import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AppKey, createAppKey, KEY_OVERLAP_HOURS, listAppKeys, revokeAppKey } from '#shared/contract/api-manage.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Time } from '../../ui/Time.tsx'

const KEY = 'app-keys'

type Props = { applicationId: string }
type Open = { kind: 'create' } | { kind: 'revoke'; key: AppKey } | { kind: 'shown'; appKey: string }

/** An application's app keys: one, or two during a key change. */
export function AppKeys({ applicationId }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const [open, setOpen] = useState<Open | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: [KEY, applicationId],
    queryFn: ({ signal }) => call(listAppKeys, { query: { id: applicationId } }, { signal }),
  })
  const keys = data?.keys ?? []
  const close = () => setOpen(null)
  return (
    <section className="app-keys" aria-labelledby={id}>
      <header>
        <div>
          <h2 id={id}>{t('app-key.title')}</h2>
          <p className="muted">{t('app-key.explain')}</p>
        </div>
        {data && (
          <button type="button" className="button" onClick={() => setOpen({ kind: 'create' })}>
            {t(keys.length > 0 ? 'app-key.rotate' : 'app-key.create')}
          </button>
        )}
      </header>
      {error && !data && <FailedBlock error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton lines={2} />}
      {data && (
        <dl className="app-id">
          <dt>appId</dt>
          <dd>
            <code>{data.appId}</code> <CopyButton text={data.appId} label="appId" />
          </dd>
        </dl>
      )}
      {keys.length > 0 && (
        <ul>
          {keys.map((key) => (
            <KeyLine key={key.id} appKey={key} onRevoke={() => setOpen({ kind: 'revoke', key })} />
          ))}
        </ul>
      )}
      {data && keys.length === 0 && <p className="muted">{t('app-key.none')}</p>}
      {open?.kind === 'create' && (
        <CreateDialog
          applicationId={applicationId}
          former={keys[0]}
          onMade={(appKey) => setOpen({ kind: 'shown', appKey })}
          onClose={() => setOpen((now) => (now?.kind === 'shown' ? now : null))}
        />
      )}
      {open?.kind === 'shown' && <CreatedKeyDialog appKey={open.appKey} onClose={close} />}
      {open?.kind === 'revoke' && <RevokeDialog applicationId={applicationId} appKey={open.key} onClose={close} />}
    </section>
  )
}

function KeyLine({ appKey, onRevoke }: { appKey: AppKey; onRevoke: () => void }) {
  const { t } = useTranslation()
  const { hint, createdAt, createdBy, validUntil, lastUsedAt } = appKey
  return (
    <li>
      <code>ghk_…{hint}</code>
      <span className={validUntil ? 'tag tag-caution' : 'tag tag-well'}>
        {validUntil ? (
          <>
            {t('app-key.until')} <Time value={validUntil} />
          </>
        ) : (
          t('app-key.valid')
        )}
      </span>
      <span className="muted">
        {t('app-key.made')} <Time value={createdAt} /> {createdBy}
      </span>
      <span className="muted">
        {lastUsedAt ? (
          <>
            {t('app-key.last-used')} <Time value={lastUsedAt} ago />
          </>
        ) : (
          t('app-key.never-used')
        )}
      </span>
      <button
        type="button"
        className="button button-quiet"
        aria-label={t('app-key.revoke-one', { hint })}
        onClick={onRevoke}
      >
        {t('app-key.revoke')}
      </button>
    </li>
  )
}

type CreateProps = Props & { former: AppKey | undefined; onMade: (appKey: string) => void; onClose: () => void }
type KeepHours = '0' | '24' | '168'

function CreateDialog({ applicationId, former, onMade, onClose }: CreateProps) {
  const { t } = useTranslation()
  const [keep, setKeep] = useState<KeepHours>('24')
  const create = async () => {
    const keepHours = KEY_OVERLAP_HOURS.find((hours) => String(hours) === keep) ?? 24
    const { appKey } = await call(createAppKey, { query: { id: applicationId }, body: { keepHours } })
    await queryClient.invalidateQueries({ queryKey: [KEY, applicationId] })
    onMade(appKey)
  }
  return (
    <FormDialog
      title={t(former ? 'app-key.rotate' : 'app-key.create')}
      verb={t('app-key.issue')}
      isAwaited
      onSubmit={create}
      onClose={onClose}
    >
      <p>{t('app-key.shown-once')}</p>
      {former && (
        <SelectField<KeepHours>
          label={t('app-key.keep')}
          value={keep}
          onChange={(value) => setKeep(value || '24')}
          options={KEY_OVERLAP_HOURS.map((hours) => ({
            value: String(hours) as KeepHours,
            label: t(`app-key.keep.${hours}`),
          }))}
          hint={t('app-key.keep.hint', { hint: former.hint })}
        />
      )}
    </FormDialog>
  )
}

function CreatedKeyDialog({ appKey, onClose }: { appKey: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('app-key.made-title')}
      actions={
        <button type="button" className="button button-primary" data-first-focus onClick={onClose}>
          {t('app-key.kept')}
        </button>
      }
    >
      <p>{t('app-key.made-text')}</p>
      <p className="shown-key">
        <code>{appKey}</code>
        <CopyButton text={appKey} label={t('app-key.title')} />
      </p>
    </Dialog>
  )
}

function RevokeDialog({ applicationId, appKey, onClose }: Props & { appKey: AppKey; onClose: () => void }) {
  const { t } = useTranslation()
  const revoke = async () => {
    await call(revokeAppKey, { query: { id: applicationId }, body: { keyId: appKey.id } })
    notify('well', t('app-key.revoked'))
    await queryClient.invalidateQueries({ queryKey: [KEY, applicationId] })
  }
  return (
    <ConfirmDialog
      title={t('app-key.revoke-one', { hint: appKey.hint })}
      verb={t('app-key.revoke')}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>{t('app-key.revoke-text')}</p>
    </ConfirmDialog>
  )
}
