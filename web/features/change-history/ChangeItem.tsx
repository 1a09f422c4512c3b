import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Change } from '#shared/contract/change-history.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DiffView } from '../../ui/DiffView.tsx'
import { fieldDiff } from '../../ui/field-diff.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Time } from '../../ui/Time.tsx'
import { absentIn, actionWord, actorWord, kindWord, targetWord, wordsFor } from './words.ts'

type Side = 'before' | 'after'
type Props = {
  change: Change
  showsTarget: boolean
  /** Nothing was done to the target since: it is as this change left it. */
  isLatest: boolean
  onRollBack: (side: Side) => void
}

/** One change: who did what when; what exactly, behind its title. */
export function ChangeItem({ change, showsTarget, isLatest, onRollBack }: Props) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <li className="change">
      <h2 className="change-title">
        <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          <Icon name="down" />
          <span className="change-words">
            <span>{actionWord(change.action)}</span>
            {showsTarget && (
              <>
                {' '}
                <span className="tag">{kindWord(change.targetKind)}</span> <span>{targetWord(change)}</span>
              </>
            )}
          </span>
        </button>
      </h2>
      <p className="change-line muted">
        <Time value={change.at} /> · <Actor change={change} />
        <ChangedFields change={change} />
      </p>
      {change.reason && <p className="change-reason">{change.reason}</p>}
      <div id={id} hidden={!isOpen}>
        {isOpen && <Details change={change} isLatest={isLatest} onRollBack={onRollBack} />}
      </div>
    </li>
  )
}

const Actor = ({ change }: { change: Change }) => (
  <span>{change.actor ? `${change.actor.name} (${change.actor.account})` : actorWord(change.actorWord)}</span>
)

const SHOWN = 4

function ChangedFields({ change }: { change: Change }) {
  const { before, after } = change
  const { t } = useTranslation()
  if (!before || !after) return null
  const { labelOf, inOrder } = wordsFor(change)
  const names = [...new Set(inOrder(fieldDiff(before, after)).map(({ path }) => labelOf(path.slice(0, 1))))]
  if (names.length === 0) return null
  const more = names.length > SHOWN ? ` +${names.length - SHOWN}` : ''
  return (
    <span>{` · ${t('change-history.fields', { fields: names.slice(0, SHOWN).join(t('list.separator')) })}${more}`}</span>
  )
}

function Details({ change, isLatest, onRollBack }: Omit<Props, 'showsTarget'>) {
  const { t } = useTranslation()
  const { before, after, ip, browser, device, requestId, restorable } = change
  const sides = (['before', 'after'] as const).filter((side) => restorable[side] && (side === 'before' || !isLatest))
  const place = [ip, browser, device].filter(Boolean).join(' · ')
  return (
    <div className="change-details">
      {(before || after) && <DiffView before={before} after={after} {...wordsFor(change)} {...absentIn(change)} />}
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
