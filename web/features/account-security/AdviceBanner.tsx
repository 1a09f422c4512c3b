import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountSecurity } from '#shared/contract/account-security.ts'
import { AdviceLine } from '../../ui/AdviceLine.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { adviceFor, type RecoveryAdviceKind } from './recovery-advice.ts'
import { useDueTime } from './use-due-time.ts'

/** Advice from another feature, shown when nothing is more urgent; its argument is rendered when it has none. */
export type MoreAdvice = (well: ReactNode) => ReactNode

/** Less useful than advice of other features: a second factor protects more than another recovery method. */
const AFTER_OTHERS: readonly RecoveryAdviceKind[] = ['questions']

type Props = { security: AccountSecurity; onAct: (advice: RecoveryAdviceKind) => void; more: MoreAdvice | undefined }

/** The most useful next action, or that nothing is left to do. */
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
