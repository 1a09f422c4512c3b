import { useTranslation } from 'react-i18next'
import { type AccountSecurity, type UnbindableContact, unbindContact } from '#shared/contract/account-security.ts'
import { call } from '../../platform/api.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { tellingConflict } from '../../ui/use-seen-version.ts'
import { useSecurityChange } from './security-queries.ts'

type Props = { kind: UnbindableContact; userId: string; security: AccountSecurity; onClose: () => void }

/** Says what will stop working, and whether a forgotten password could still be recovered. */
export function RemoveContactDialog({ kind, userId, security, onClose }: Props) {
  const { t } = useTranslation()
  const lastMethod = isLastRecoveryMethod(kind, security)
  const remove = useSecurityChange({
    make: () => call(unbindContact, { query: { id: userId }, body: { kind, lastMethod, version: security.version } }),
    done: t(`set-account.${kind}.removed`),
    onDone: () => {},
  })
  return (
    <ConfirmDialog
      title={t(`set-account.${kind}.remove-title`, { name: security[kind] ?? '' })}
      verb={t(kind === 'alias' ? 'set-account.delete' : 'set-account.remove')}
      onConfirm={() => tellingConflict(() => remove.mutateAsync())}
      onClose={onClose}
    >
      <p>{t(`set-account.${kind}.remove-text`)}</p>
      {lastMethod && <p className="banner banner-danger">{t('set-account.last-method')}</p>}
    </ConfirmDialog>
  )
}

/** The server's rule, checked before the button is pressed. */
function isLastRecoveryMethod(
  kind: UnbindableContact,
  { phone, mailbox, securityQuestions }: AccountSecurity,
): boolean {
  if (kind === 'alias' || securityQuestions.length > 0) return false
  return (kind === 'phone' ? mailbox : phone) === null
}
