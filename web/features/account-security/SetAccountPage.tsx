import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountSecurity } from '#shared/contract/account-security.ts'
import type { UserInformation } from '#shared/contract/sessions.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { ensureReauthentication } from '../../platform/reauthentication.ts'
import { useUser } from '../../platform/session.ts'
import { usePageSignal } from '../../platform/use-page-signal.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { AdviceBanner, type MoreAdvice } from './AdviceBanner.tsx'
import { AliasDialog } from './AliasDialog.tsx'
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx'
import { ContactDialog } from './ContactDialog.tsx'
import type { OpenDialogKind } from './open-dialog.types.ts'
import { QuestionsDialog } from './QuestionsDialog.tsx'
import { RemoveContactDialog } from './RemoveContactDialog.tsx'
import { SecurityRows } from './SecurityRows.tsx'
import { securityQuery } from './security-queries.ts'
import './account-security.css'

type Props = {
  /** Rows that other features add below the password. */
  more?: ReactNode
  moreAdvice?: MoreAdvice
}

/** How my account is protected: one list with one action per row, and the most useful next step. */
export function SetAccountPage({ more, moreAdvice }: Props) {
  const { t } = useTranslation()
  const user = useUser()
  const security = useQuery(securityQuery)
  const { open, asking, start, setOpen } = useOpenDialog()
  if (!user) return null
  return (
    <div className="page security-page">
      <header>
        <PageTitle>{t('set-account.title')}</PageTitle>
        <p className="muted">{t('set-account.explain')}</p>
      </header>
      {security.isError && <FailedBlock error={security.error} onRetry={() => void security.refetch()} />}
      {security.isPending && <Skeleton lines={6} />}
      {security.data && (
        <>
          <AdviceBanner security={security.data} onAct={start} more={moreAdvice} />
          <SecurityRows security={security.data} asking={asking} onAct={start} more={more} />
          <SecurityDialog open={open} user={user} security={security.data} setOpen={setOpen} />
        </>
      )}
    </div>
  )
}

/** Reauthenticates before a dialog opens, so that no input is lost; changing the password has its own check. */
function useOpenDialog() {
  const signal = usePageSignal()
  const [open, setOpen] = useState<OpenDialogKind | null>(null)
  const [asking, setAsking] = useState<OpenDialogKind | null>(null)
  const report = (error: unknown) => {
    if (!signal.aborted) notifyFailure(error)
  }
  const start = async (next: OpenDialogKind) => {
    if (asking) return
    if (next === 'password') return setOpen(next)
    setAsking(next)
    try {
      if (await ensureReauthentication(signal)) setOpen(next)
    } catch (error) {
      report(error)
    } finally {
      setAsking(null)
    }
  }
  return { open, asking, start: (next: OpenDialogKind) => void start(next), setOpen }
}

type OpenProps = {
  open: OpenDialogKind | null
  user: UserInformation
  security: AccountSecurity
  setOpen: (open: OpenDialogKind | null) => void
}

function SecurityDialog({ open, user, security, setOpen }: OpenProps) {
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
      return <RemoveContactDialog {...same} kind="phone" />
    case 'remove-mailbox':
      return <RemoveContactDialog {...same} kind="mailbox" />
    case 'remove-alias':
      return <RemoveContactDialog {...same} kind="alias" />
  }
}
