import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountSecurity, Unbindable } from '#shared/contract/account-security.ts'
import type { UserInformation } from '#shared/contract/sessions.ts'
import { freshProof } from '../../platform/fresh-proof.ts'
import { notify } from '../../platform/notices.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { useUser } from '../../platform/session.ts'
import { Waiting } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { AdviceBanner, type MoreAdvice } from './AdviceBanner.tsx'
import { AliasDialog } from './AliasDialog.tsx'
import { securityQuery } from './account-security.ts'
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx'
import { ContactDialog } from './ContactDialog.tsx'
import { QuestionsDialog } from './QuestionsDialog.tsx'
import { RemoveDialog } from './RemoveDialog.tsx'
import { SecurityRows } from './SecurityRows.tsx'
import './account-security.css'

/** What stands before the page. */
export type Open = 'password' | 'questions' | Unbindable | `remove-${Unbindable}`

type Props = {
  /** Rows that other features add below the password. */
  more?: ReactNode
  moreAdvice?: MoreAdvice
}

/** How my account is protected: one list, one verb a row, and the most useful thing to do next. */
export function SetAccountPage({ more, moreAdvice }: Props) {
  const { t } = useTranslation()
  const user = useUser()
  const security = useQuery(securityQuery)
  const { open, asking, start, setOpen } = useOpen()
  if (!user) return null
  return (
    <div className="page security-page">
      <header>
        <PageTitle>{t('set-account.title')}</PageTitle>
        <p className="muted">{t('set-account.explain')}</p>
      </header>
      {security.isError && <FailedBlock error={security.error} onRetry={() => void security.refetch()} />}
      {security.isPending && <Waiting lines={6} />}
      {security.data && (
        <>
          <AdviceBanner security={security.data} onAct={start} more={moreAdvice} />
          <SecurityRows security={security.data} asking={asking} onAct={start} more={more} />
          <OpenDialog open={open} user={user} security={security.data} setOpen={setOpen} />
        </>
      )}
    </div>
  )
}

/** Whoever acts proves first who they are, so that nobody types for nothing; the password is proved by itself. */
function useOpen() {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Open | null>(null)
  const [asking, setAsking] = useState<Open | null>(null)
  const start = async (next: Open) => {
    if (asking) return
    if (next === 'password') return setOpen(next)
    setAsking(next)
    try {
      if (await freshProof()) setOpen(next)
    } catch (error) {
      notify('danger', isRefusal(error) ? error.message : t('network.unreachable'))
    } finally {
      setAsking(null)
    }
  }
  return { open, asking, start: (next: Open) => void start(next), setOpen }
}

type OpenProps = {
  open: Open | null
  user: UserInformation
  security: AccountSecurity
  setOpen: (open: Open | null) => void
}

function OpenDialog({ open, user, security, setOpen }: OpenProps) {
  const onClose = () => setOpen(null)
  const same = { userId: user.userId, security, onClose }
  switch (open) {
    case null:
      return null
    case 'password':
      return <ChangePasswordDialog user={user} onClose={onClose} />
    case 'questions':
      return <QuestionsDialog {...same} />
    case 'alias':
      return <AliasDialog {...same} onRemove={() => setOpen('remove-alias')} />
    case 'phone':
    case 'mailbox':
      return <ContactDialog {...same} key={open} kind={open} onRemove={() => setOpen(`remove-${open}`)} />
    case 'remove-phone':
      return <RemoveDialog {...same} kind="phone" />
    case 'remove-mailbox':
      return <RemoveDialog {...same} kind="mailbox" />
    case 'remove-alias':
      return <RemoveDialog {...same} kind="alias" />
  }
}
