import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon, type IconName } from './Icon.tsx'
import './security-list.css'

type Props = {
  icon: IconName
  title: string
  /** The masked value, or what it would be good for. */
  value: ReactNode
  isSet: boolean
  /** Used instead of "configured". */
  stateText?: string
  /** One word; `verbLabel` is the full text for screen readers. */
  verb: string
  verbLabel: string
  /** Why the action is unavailable; replaces it. */
  unavailable?: string | undefined
  isBusy?: boolean
  onAct: () => void
}

/** A row of the security settings: name, state, action. */
export function SecurityRow(props: Props) {
  const { icon, title, value, isSet, stateText, verb, verbLabel, unavailable, isBusy = false, onAct } = props
  const { t } = useTranslation()
  return (
    <li className="security-row">
      <span className="security-icon">
        <Icon name={icon} />
      </span>
      <div className="security-facts">
        <h2>{title}</h2>
        <p className="muted">{value}</p>
      </div>
      <span className={isSet ? 'tag tag-well' : 'tag tag-plain'}>
        <span className="dot" />
        {stateText ?? t(isSet ? 'security.set' : 'security.not-set')}
      </span>
      {unavailable ? (
        <span className="muted security-unavailable">{unavailable}</span>
      ) : (
        <button type="button" className="button" aria-label={verbLabel} aria-disabled={isBusy} onClick={onAct}>
          {verb}
        </button>
      )}
    </li>
  )
}
