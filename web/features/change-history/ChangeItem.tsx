import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Change } from '#shared/contract/change-history.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { fieldDiff } from '../../ui/field-diff.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Time } from '../../ui/Time.tsx'
import {
  actionLabel,
  actorLabel,
  changeTexts,
  comparable,
  grantSubject,
  kindLabel,
  reasonText,
  targetLabel,
} from './change-text.ts'
import { Difference } from './Difference.tsx'

type Side = 'before' | 'after'
type Props = {
  change: Change
  showsTarget: boolean
  /** Nested below a bootstrap record. */
  isFolded: boolean
  /** The target has not been changed since. */
  isLatest: boolean
  /** The records that this one summarises. */
  folded?: ReactNode
  onRollBack: (side: Side) => void
}

/** One change: who, what and when; details on demand. */
export function ChangeItem({ change, showsTarget, isFolded, isLatest, folded, onRollBack }: Props) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const reason = reasonText(change)
  const Heading = isFolded ? 'h3' : 'h2'
  return (
    <li className="change">
      <Heading className="change-title">
        <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          <Icon name="down" />
          <span className="change-words">
            <span>{actionLabel(change.folded ? 'bootstrap.apply' : change.action)}</span>
            {change.folded && (
              <span className="muted"> {t('change-history.lines', { count: change.folded.lines })}</span>
            )}
            {!showsTarget && grantSubject(change) && <span className="muted"> {grantSubject(change)}</span>}
            {showsTarget && !change.folded && (
              <>
                {' '}
                <span className="tag">{kindLabel(change.targetKind)}</span> <span>{targetLabel(change)}</span>
              </>
            )}
          </span>
        </button>
      </Heading>
      <p className="change-line muted">
        <Time value={change.at} /> · <Actor change={change} />
        {!change.folded && <ChangedFields change={change} />}
      </p>
      {reason && <p className="change-reason">{reason}</p>}
      <div id={id} hidden={!isOpen}>
        {isOpen && (folded || <Details change={change} isLatest={isLatest} onRollBack={onRollBack} />)}
      </div>
    </li>
  )
}

const Actor = ({ change }: { change: Change }) => (
  <span>{change.actor ? `${change.actor.name} (${change.actor.account})` : actorLabel(change.actorWord)}</span>
)

const MAX_FIELDS_SHOWN = 4

function ChangedFields({ change }: { change: Change }) {
  const compared = comparable(change)
  const { before, after } = compared
  const { t } = useTranslation()
  if (!before || !after) return null
  const { labelOf, inOrder } = changeTexts(compared)
  const names = [...new Set(inOrder(fieldDiff(before, after)).map(({ path }) => labelOf(path.slice(0, 1))))]
  if (names.length === 0) return null
  const more = names.length > MAX_FIELDS_SHOWN ? ` +${names.length - MAX_FIELDS_SHOWN}` : ''
  return (
    <span>{` · ${t('change-history.fields', { fields: names.slice(0, MAX_FIELDS_SHOWN).join(t('list.separator')) })}${more}`}</span>
  )
}

function Details({ change, isLatest, onRollBack }: Omit<Props, 'showsTarget' | 'isFolded' | 'folded'>) {
  const { t } = useTranslation()
  const { ip, browser, device, requestId, restorable } = change
  const { before, after } = change
  const sides = (['before', 'after'] as const).filter((side) => restorable[side] && (side === 'before' || !isLatest))
  const place = [ip, browser, device].filter(Boolean).join(' · ')
  return (
    <div className="change-details">
      {(before || after) && <Difference change={change} />}
      {(place || requestId) && (
        <p className="muted change-place">
          {place}
          {requestId && (
            <span className="tabular">
              {place && ' · '}
              {t('prompt.request-id', { id: requestId })}
              <CopyButton text={requestId} label={t('change-history.request-id')} />
            </span>
          )}
        </p>
      )}
      {sides.length > 0 && (
        <div className="change-verbs">
          {sides.map((side) => (
            <button key={side} type="button" className="button" onClick={() => onRollBack(side)}>
              {t(`change-history.roll-back-${side}`)}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
