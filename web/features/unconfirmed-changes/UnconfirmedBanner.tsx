import i18next, { type TFunction } from 'i18next'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { switchPoliciesOnCall } from '#shared/contract/policy-switch.ts'
import { confirmChange, takeBackChange, type UnconfirmedChange } from '#shared/contract/unconfirmed-changes.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import { type MessageKey, translateOr } from '../../platform/i18n.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import '../../ui/form-card.css'
import './unconfirmed-changes.css'

type Props = {
  change: UnconfirmedChange
  /** When the page received it, by its own clock. */
  askedAt: number
}

/** A change waiting for confirmation, with the time left; or one that was reverted, until dismissed. */
export const UnconfirmedBanner = ({ change, askedAt }: Props) =>
  change.outcome === null ? <Waiting change={change} askedAt={askedAt} /> : <WentBack change={change} />

function Waiting({ change, askedAt }: Props) {
  const { t } = useTranslation()
  const target = targetWords(t, change)
  const left = useSecondsLeft(askedAt + change.secondsLeft * 1000)
  const { isBusy, error, run } = useSettling()
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  const confirm = () =>
    run(async () => {
      await call(confirmChange, { query: { id: change.id } })
      notify('well', t('unconfirmed.confirmed', { target }))
    })
  const takeBack = () =>
    run(async () => {
      const { leftFields } = await call(takeBackChange, { query: { id: change.id } })
      notify('well', t('unconfirmed.taken-back', { target }))
      if (leftFields.length > 0) notify('caution', leftWords(t, leftFields))
    })
  return (
    <section className="banner unconfirmed" aria-label={labelOf(t, change)}>
      <div className="unconfirmed-text">
        <p>
          <strong>{t('unconfirmed.title', { target })}</strong>{' '}
          <span className="tabular">{left > 0 ? t('unconfirmed.left-time', { clock }) : t('unconfirmed.now')}</span>
        </p>
        <p className="muted">{t(change.isConfirmable ? 'unconfirmed.may-confirm' : 'unconfirmed.how')}</p>
        {error && (
          <p className="field-error" role="alert">
            {error}
          </p>
        )}
      </div>
      <span className="form-actions">
        <button type="button" className="button" aria-disabled={isBusy || undefined} onClick={takeBack}>
          {t('unconfirmed.take-back')}
        </button>
        {change.isConfirmable && (
          <button type="button" className="button button-primary" aria-disabled={isBusy || undefined} onClick={confirm}>
            {t('unconfirmed.confirm')}
          </button>
        )}
      </span>
    </section>
  )
}

function WentBack({ change }: { change: UnconfirmedChange }) {
  const { t, i18n } = useTranslation()
  const [isClosed, setClosed] = useState(false)
  // Whoever reverted it manually knows.
  if (isClosed || change.outcome !== 'went-back' || !change.settledAt) return null
  const time = formatDateTime(new Date(change.settledAt), i18n.language)
  return (
    <section className="banner unconfirmed" aria-label={labelOf(t, change)}>
      <div className="unconfirmed-text">
        <p>{t('unconfirmed.went-back', { target: targetWords(t, change), time })}</p>
        {change.leftFields.length > 0 && <p className="muted">{leftWords(t, change.leftFields)}</p>}
      </div>
      <button type="button" className="button" onClick={() => setClosed(true)}>
        {t('action.close')}
      </button>
    </section>
  )
}

/** There may be several: each is labelled. */
const labelOf = (t: TFunction, change: UnconfirmedChange): string =>
  [t('unconfirmed.label'), targetWords(t, change), formatDateTime(new Date(change.madeAt), i18next.language)].join(
    t('list.separator'),
  )

/** All access rules are suspended by the command line. */
export function PoliciesOffBanner() {
  const { t } = useTranslation()
  const { isBusy, error, run } = useSettling()
  const switchOn = () =>
    run(async () => {
      await call(switchPoliciesOnCall)
      notify('well', t('policies-off.on-again'))
    })
  return (
    <section className="banner banner-danger unconfirmed" aria-label={t('policies-off.label')}>
      <div className="unconfirmed-text">
        <p>
          <strong>{t('policies-off.title')}</strong>
        </p>
        <p>{t('policies-off.text')}</p>
        {error && (
          <p className="field-error" role="alert">
            {error}
          </p>
        )}
      </div>
      <button type="button" className="button" aria-disabled={isBusy || undefined} onClick={switchOn}>
        {t('policies-off.switch-on')}
      </button>
    </section>
  )
}

/** Titles of pages with one settings document each. */
const DOCUMENT_TITLES: Readonly<Record<string, MessageKey>> = {
  accountFields: 'settings-document.accountFields',
  login: 'login-config.title',
}

function targetWords(t: TFunction, { targetKind, targetId, targetName }: UnconfirmedChange): string {
  const title = targetKind === 'settings' ? DOCUMENT_TITLES[targetId] : undefined
  const kind = title ? t(title) : translateOr(`change-kind.${targetKind}`, 'change-kind.other')
  return targetName === null ? kind : t('unconfirmed.named', { kind, name: targetName })
}

const leftWords = (t: TFunction, fields: readonly string[]): string => {
  const words = fields.map((field) =>
    i18next.exists(`audit-field.${field}`) ? t(`audit-field.${field}` as MessageKey) : field,
  )
  return t('unconfirmed.left', { fields: words.join(i18next.t('list.separator')) })
}

function useSecondsLeft(end: number): number {
  const secondsUntil = () => Math.max(0, Math.ceil((end - Date.now()) / 1000))
  const [left, setLeft] = useState(secondsUntil)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it counts to is all it depends on.
  useEffect(() => {
    setLeft(secondsUntil())
    const timer = setInterval(() => setLeft(secondsUntil()), 500)
    return () => clearInterval(timer)
  }, [end])
  return left
}

/** Confirms or reverts, one at a time; then refreshes every page. */
function useSettling() {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const settle = async (work: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await work()
      await queryClient.invalidateQueries()
    } catch (failure) {
      setError(failureText(failure))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, error, run: (work: () => Promise<void>) => void settle(work) }
}
