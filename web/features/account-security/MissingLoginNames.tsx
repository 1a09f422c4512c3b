import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UnbindableContact } from '#shared/contract/account-security.ts'
import { useUser } from '../../platform/session.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { AliasDialog } from './AliasDialog.tsx'
import { ContactDialog } from './ContactDialog.tsx'
import { AliasRow, ContactRow } from './SecurityRows.tsx'
import { securityQuery } from './security-queries.ts'
import '../../ui/security-list.css'

type Props = { fields: readonly UnbindableContact[]; onBound: () => void }

/** A required phone, email address or alias, each bound in its dialog. */
export function MissingLoginNames({ fields, onBound }: Props) {
  const { t } = useTranslation()
  const user = useUser()
  const query = useQuery(securityQuery)
  const [opened, setOpened] = useState<UnbindableContact | null>(null)
  if (query.isError) return <FailedBlock error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data || !user) return <Skeleton lines={fields.length * 2} />
  const security = query.data
  const close = () => {
    setOpened(null)
    onBound()
  }
  const dialog = { userId: user.userId, security, onRemove: close, onClose: close }
  return (
    <>
      <ul className="card security-list" aria-label={t('set-account.title')}>
        {fields.map((field) => {
          const row = { security, isBusy: opened === field, onAct: () => setOpened(field) }
          return field === 'alias' ? (
            <AliasRow key={field} {...row} />
          ) : (
            <ContactRow key={field} kind={field} {...row} />
          )
        })}
      </ul>
      {opened === 'alias' && <AliasDialog {...dialog} />}
      {(opened === 'phone' || opened === 'mailbox') && <ContactDialog kind={opened} {...dialog} />}
    </>
  )
}
