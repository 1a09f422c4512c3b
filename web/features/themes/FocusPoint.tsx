import type { PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'

type Props = {
  picture: string
  /** In percent, from the left and the top. */
  x: number
  y: number
  onChange: (point: { focusX: number; focusY: number }) => void
}

/** The picture with its focus point, set by a click or with the sliders below. */
export function FocusPoint({ picture, x, y, onChange }: Props) {
  const { t } = useTranslation()
  const choose = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    const percent = (part: number, whole: number) => Math.round(Math.min(1, Math.max(0, part / whole)) * 100)
    onChange({ focusX: percent(clientX - left, width), focusY: percent(clientY - top, height) })
  }
  return (
    <div className="field">
      <span className="muted">{t('login-topic.background.focus-hint')}</span>
      <div
        className="focus-point"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          choose(event)
        }}
        onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && choose(event)}
      >
        <img src={picture} alt="" draggable={false} />
        <span style={{ insetInlineStart: `${x}%`, insetBlockStart: `${y}%` }} />
      </div>
    </div>
  )
}
