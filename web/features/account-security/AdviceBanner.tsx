import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountSecurity } from '#shared/contract/account-security.ts'
import { AdviceLine } from '../../ui/AdviceLine.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { adviceFor, type RecoveryAdviceKind } from './recovery-advice.ts'
import { useDueTime } from './use-due-time.ts'

/** What another feature advises where there is nothing more urgent; it gets what is said when it has nothing to advise. */
export type MoreAdvice = (well: ReactNode) => ReactNode

/** Less useful than what others advise: a second step protects more than another way to a forgotten password. */
const AFTER_OTHERS: readonly RecoveryAdviceKind[] = ['questions']

type Props = { security: AccountSecurity; onAct: (advice: RecoveryAdviceKind) => void; more: MoreAdvice | undefined }

/** The single most useful next action; when there is none, that all is well. */
export function AdviceBanner({ security, onAct, more }: Props) {
  const { t } = useTranslation()
  const dueIn = useDueTime()
  const advice = adviceFor(security)
  const own = advice && (
    <AdviceLine title={t(`set-account.advice.${advice}`)} why={t(`set-account.advice.${advice}.why`, dueIn(security))}>
      <button type="button" className="button button-quiet" onClick={() => onAct(advice)}>
        {t(`set-account.advice.${advice}.do`)}
      </button>
    </AdviceLine>
  )
  if (own && !AFTER_OTHERS.includes(advice)) return own
  const well = (
    <div className="banner advice advice-well">
      <Icon name="safety-certificate" />
      <p>{t('set-account.advice.none')}</p>
    </div>
  )
  return more ? more(own || well) : own || well
}
