import { useTranslation } from 'react-i18next'
import { useFixedReason } from './fixed-field.ts'
import { Icon } from './Icon.tsx'
import { Switch } from './Switch.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { usePointerSort } from './use-pointer-sort.ts'
import './ordered-switches.css'

type Row<Key extends string> = { key: Key; label: string; isOn: boolean; isFixed?: boolean; canMove?: boolean }

type Props<Key extends string> = {
  legend: string
  hint?: string
  /** In order; fixed ones come last. */
  rows: readonly Row<Key>[]
  onToggle: (key: Key, isOn: boolean) => void
  /** All keys in the new order. */
  onMove: (keys: Key[]) => void
}

/** Parts that can be shown or hidden, sorted by dragging or step by step. */
export function OrderedSwitches<Key extends string>(props: Props<Key>) {
  const { legend, hint, rows, onToggle, onMove } = props
  const { t } = useTranslation()
  const fixed = useFixedReason()
  const keys = rows.map(({ key }) => key)
  const movable = rows.filter(({ canMove = true }) => canMove).map(({ key }) => key)
  const move = (key: Key, at: number) => onMove(keys.filter((one) => one !== key).toSpliced(at, 0, key))
  const sort = usePointerSort({
    keys: fixed === undefined ? movable : [],
    handle: '.ordered-grip',
    onMove: (key, at) => move(key as Key, Math.min(at, movable.length - 1)),
  })
  const { list, notePress } = useKeptFocus<HTMLUListElement>(keys.join())
  return (
    <fieldset>
      <legend>{legend}</legend>
      {hint && <p className="muted">{hint}</p>}
      <ul className="ordered-switches" ref={list} {...sort}>
        {rows.map(({ key, label: name, isOn, isFixed = false, canMove = true }, at) => (
          <li key={key} data-key={key}>
            <span
              className={canMove && fixed === undefined ? 'ordered-grip' : 'ordered-grip ordered-still'}
              aria-hidden="true"
            >
              <Icon name="grip" />
            </span>
            <Switch
              label={name}
              checked={isOn}
              // What can't be changed anyway is still read out.
              disabled={isFixed && fixed === undefined}
              onChange={(checked) => onToggle(key, checked)}
            />
            {canMove &&
              (['up', 'down'] as const).map((way) => {
                const to = way === 'up' ? at - 1 : at + 1
                const isStill = fixed !== undefined || to < 0 || to >= movable.length
                const label = t(`login-page-setup.${way}-one`, { name })
                return (
                  <button
                    key={way}
                    type="button"
                    className="button button-quiet ordered-step"
                    aria-label={label}
                    title={label}
                    aria-disabled={isStill || undefined}
                    aria-describedby={fixed}
                    data-step={`${way} ${key}`}
                    onClick={({ currentTarget }) => {
                      if (isStill) return
                      notePress(currentTarget.dataset['step'] ?? null)
                      move(key, to)
                    }}
                  >
                    <Icon name={way} />
                  </button>
                )
              })}
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
