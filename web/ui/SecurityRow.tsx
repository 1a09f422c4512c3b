import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon, type IconName } from './Icon.tsx'
import './security-list.css'

type Props = {
  icon: IconName
  title: string
  /** What is set, masked; or what it would be good for. */
  value: ReactNode
  isSet: boolean
  /** Where "configured" is not the word for it. */
  stateText?: string
  /** One word; `verbLabel` says the whole of it to who does not see the row. */
  verb: string
  verbLabel: string
  /** Said to who wants to act and can't, in place of the verb. */
  unavailable?: string | undefined
  isBusy?: boolean
  onAct: () => void
}

/** One line of the list that protects an account: what it is, how it stands, the one thing to do about it. */
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
