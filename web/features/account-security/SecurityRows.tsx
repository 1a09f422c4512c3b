import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountSecurity } from '#shared/contract/account-security.ts'
import { SecurityRow } from '../../ui/SecurityRow.tsx'
import { Time } from '../../ui/Time.tsx'
import type { OpenDialogKind } from './open-dialog.types.ts'

type Props = {
  security: AccountSecurity
  asking: OpenDialogKind | null
  onAct: (open: OpenDialogKind) => void
  more: ReactNode
}

export function SecurityRows({ security, asking, onAct, more }: Props) {
  const { t } = useTranslation()
  return (
    <ul className="card security-list" aria-label={t('set-account.title')}>
      <PasswordRow security={security} onAct={() => onAct('password')} />
      {more}
      {(['phone', 'mailbox'] as const)
        .filter((kind) => !security.fields.hidden.includes(kind))
        .map((kind) => (
          <ContactRow key={kind} kind={kind} security={security} isBusy={asking === kind} onAct={() => onAct(kind)} />
        ))}
      <QuestionsRow security={security} isBusy={asking === 'questions'} onAct={() => onAct('questions')} />
      <AliasRow security={security} isBusy={asking === 'alias'} onAct={() => onAct('alias')} />
    </ul>
  )
}

type RowProps = { security: AccountSecurity; isBusy?: boolean; onAct: () => void }

function PasswordRow({ security, onAct }: RowProps) {
  const { t } = useTranslation()
  const { isSet, changedAt } = security.password
  return (
    <SecurityRow
      icon="lock"
      title={t('set-account.password')}
      value={
        changedAt ? (
          <>
            {t('set-account.password.changed')} <Time value={changedAt} />
          </>
        ) : (
          t('set-account.password.good-for')
        )
      }
      isSet={isSet}
      verb={t('set-account.change')}
      verbLabel={t('set-account.password.change')}
      unavailable={isSet ? undefined : t('set-account.password.none')}
      onAct={onAct}
    />
  )
}

const CHANNELS = { phone: 'sms', mailbox: 'mail' } as const
const ICONS = { phone: 'mobile', mailbox: 'mail' } as const

export function ContactRow({ kind, security, isBusy = false, onAct }: RowProps & { kind: 'phone' | 'mailbox' }) {
  const { t } = useTranslation()
  const bound = security[kind]
  const isKept = !security.fields.editable.includes(kind)
  const hasNoChannel = !bound && !security.channels[CHANNELS[kind]]
  return (
    <SecurityRow
      icon={ICONS[kind]}
      title={t(`set-account.${kind}`)}
      value={bound ? <bdi className="tabular">{bound}</bdi> : t(`set-account.${kind}.good-for`)}
      isSet={bound !== null}
      verb={t(bound ? 'set-account.change' : 'set-account.bind')}
      verbLabel={t(bound ? `set-account.${kind}.change` : `set-account.${kind}.bind`)}
      unavailable={isKept ? t('set-account.kept') : hasNoChannel ? t('set-account.no-channel') : undefined}
      isBusy={isBusy}
      onAct={onAct}
    />
  )
}

function QuestionsRow({ security, isBusy = false, onAct }: RowProps) {
  const { t } = useTranslation()
  const count = security.securityQuestions.length
  return (
    <SecurityRow
      icon="other"
      title={t('set-account.questions')}
      value={count > 0 ? t('set-account.questions.count', { count }) : t('set-account.questions.good-for')}
      isSet={count > 0}
      verb={t(count > 0 ? 'set-account.change' : 'set-account.set')}
      verbLabel={t(count > 0 ? 'set-account.questions.change' : 'set-account.questions.set')}
      isBusy={isBusy}
      onAct={onAct}
    />
  )
}

export function AliasRow({ security, isBusy = false, onAct }: RowProps) {
  const { t } = useTranslation()
  const { alias } = security
  return (
    <SecurityRow
      icon="user"
      title={t('set-account.alias')}
      value={alias ?? t('set-account.alias.good-for')}
      isSet={alias !== null}
      verb={t(alias ? 'set-account.change' : 'set-account.set')}
      verbLabel={t(alias ? 'set-account.alias.change' : 'set-account.alias.choose')}
      unavailable={security.fields.editable.includes('alias') ? undefined : t('set-account.kept')}
      isBusy={isBusy}
      onAct={onAct}
    />
  )
}
