import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { FieldOwner } from '#shared/contract/field-owners.ts'
import { useIsSuperUser } from '../platform/session.ts'
import { Time } from './Time.tsx'
import './field-owners.css'

type Props = { owners: readonly FieldOwner[]; nameOf: (field: string) => string }

/** Which source maintains which fields, and since which run. */
export function FieldOwners({ owners, nameOf }: Props) {
  const { t } = useTranslation()
  const isSuperUser = useIsSuperUser()
  const syncs = [...new Map(owners.map((owner) => [owner.syncId, owner])).values()]
  if (syncs.length === 0) return null
  return (
    <section className="field-owners field-wide">
      <h3>{t('field-owner.title')}</h3>
      <ul>
        {syncs.map(({ syncId, sync, source, since, runId }) => (
          <li key={syncId}>
            <strong>{t('field-owner.of-sync', { source, sync })}</strong>{' '}
            {owners
              .filter((owner) => owner.syncId === syncId)
              .map(({ field }) => nameOf(field))
              .join(t('list.separator'))}
            {since && (
              <span className="muted">
                {' '}
                {t('field-owner.since')} <Time value={since} />
              </span>
            )}
            {runId && isSuperUser && (
              <>
                {' '}
                <Link to="/manage/org-sync-detail" search={{ sync: syncId, run: runId } as never}>
                  {t('field-owner.run')}
                </Link>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

type Closed = { disabled?: boolean; hint?: string }

/** Says of each field whether a sync owns it: then it is greyed out, with where it is changed. */
export function useOwnedFields(owners: readonly FieldOwner[]): (field: string) => Closed {
  const { t } = useTranslation()
  return (field) => {
    const owner = owners.find((one) => one.field === field)
    return owner ? { disabled: true, hint: t('field-owner.sync', { source: owner.source }) } : {}
  }
}
