import { type CSSProperties, type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import type { CaptchaKind, SliderChallenge, TrackPoint } from '#shared/contract/captcha.ts'
import { fetchChallenge, type SolvedCaptcha } from '../platform/solve-proof-of-work.ts'
import { useLight } from './light-page.tsx'
import { postSigned } from './post-signed.ts'

type Slider = z.infer<typeof SliderChallenge>
type Props = { missing: boolean; onSwitch(kind: CaptchaKind): void }

const KEY_STEPS: Record<string, number> = {
  ArrowRight: 5,
  ArrowLeft: -5,
  ArrowUp: 1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
}

/** A puzzle piece to slide into its gap, by pointer or by arrow keys and Enter. */
export function SliderField({ missing, onSwitch }: Props) {
  const { t } = useLight()
  const slide = useSlide()
  const { slider, x, solved, status, frame } = slide
  const drag = useDrag(slide)
  const most = slider ? slider.width - slider.pieceWidth : 0
  const share = slider && most > 0 ? x / slider.width : 0
  const onKeyDown = (event: KeyboardEvent) => {
    const step = KEY_STEPS[event.key]
    if (event.key === 'Enter') {
      event.preventDefault()
      void slide.drop()
    } else if (step !== undefined) {
      event.preventDefault()
      slide.move(x + step, 0)
    }
  }
  return (
    <div className="field">
      <p className="label" id="slider-label">
        {t('captcha.slider')}
      </p>
      {slider && (
        <div className="slider" ref={frame}>
          <img src={slider.backgroundImage} width={slider.width} height={slider.height} alt="" />
          <div
            className="piece"
            {...drag}
            ref={positionAt(share, slider.pieceTop / slider.height, slider.pieceWidth / slider.width)}
          >
            <img src={slider.sliderImage} alt="" />
          </div>
        </div>
      )}
      <div className="track">
        {solved && t('captcha.slider-fits')}
        {slider && !solved && (
          <div
            className="handle"
            role="slider"
            tabIndex={0}
            aria-labelledby="slider-label"
            aria-describedby="slider-keys"
            aria-valuemin={0}
            aria-valuemax={Math.round(most)}
            aria-valuenow={Math.round(x)}
            onKeyDown={onKeyDown}
            {...drag}
            ref={positionAt(share, null, null)}
          >
            <span aria-hidden="true">→</span>
          </div>
        )}
      </div>
      {!solved && (
        <p className="hint" id="slider-keys">
          {t('captcha.slider-keys')}
        </p>
      )}
      <p className="hint wrong" role="status">
        {missing && !solved ? t('captcha.slide-first') : status && t(status)}
      </p>
      {solved && (
        <>
          <input type="hidden" name="captchaId" value={solved.captchaId} />
          <input type="hidden" name="captcha" value={solved.captcha} />
        </>
      )}
      <div className="captcha-methods">
        <button type="button" className="link-button" onClick={() => onSwitch('proof-of-work')}>
          {t('captcha.immovable')}
        </button>
        <button type="button" className="link-button" onClick={() => void slide.renew()}>
          {t('captcha.refresh')}
        </button>
      </div>
    </div>
  )
}

/** Positions are set by script: the content security policy refuses style attributes in HTML, but not the CSSOM. */
const positionAt = (left: number, top: number | null, width: number | null) => (element: HTMLElement | null) => {
  if (!element) return
  const style: CSSProperties = { left: `${left * 100}%` }
  if (top !== null) style.top = `${top * 100}%`
  if (width !== null) style.width = `${width * 100}%`
  Object.assign(element.style, style)
}

function useSlide() {
  const [slider, setSlider] = useState<Slider | null>(null)
  const [x, setX] = useState(0)
  const [solved, setSolved] = useState<SolvedCaptcha | null>(null)
  const [status, setStatus] = useState<string | null>(null)
  const frame = useRef<HTMLDivElement>(null)
  const track = useRef<TrackPoint[]>([])
  const taken = useRef(0)

  const renew = async (why: string | null = null) => {
    track.current = []
    setX(0)
    setSolved(null)
    setStatus(why)
    setSlider(await fetchChallenge('slider').catch(() => null))
  }
  const move = (to: number, y: number) => {
    if (!slider || solved) return
    const now = performance.now()
    if (track.current.length === 0) taken.current = now
    const next = Math.min(slider.width - slider.pieceWidth, Math.max(0, to))
    if (track.current.length < 1500) track.current.push({ x: next, y, t: now - taken.current })
    setX(next)
  }
  const drop = async () => {
    if (!slider || solved || track.current.length === 0) return
    const input = { captchaId: slider.captchaId, track: track.current }
    const { state, data } = await postSigned<SolvedCaptcha>('/auth_service/check', input).catch(() => ({
      state: 0,
      data: null,
    }))
    if (state !== 200 || !data) return renew('captcha.slider-missed')
    setStatus(null)
    setSolved(data)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: one picture for each time the field appears.
  useEffect(() => {
    void renew()
  }, [])
  return { slider, x, solved, status, frame, renew, move, drop }
}

function useDrag({ slider, x, frame, move, drop }: ReturnType<typeof useSlide>) {
  const start = useRef<{ pointerX: number; pointerY: number; x: number } | null>(null)
  /** Picture pixels per CSS pixel. */
  const scale = () => (slider && frame.current ? slider.width / frame.current.clientWidth : 1)
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      start.current = { pointerX: event.clientX, pointerY: event.clientY, x }
      move(x, 0)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = start.current
      if (!from) return
      move(from.x + (event.clientX - from.pointerX) * scale(), (event.clientY - from.pointerY) * scale())
    },
    onPointerUp: () => {
      if (!start.current) return
      start.current = null
      void drop()
    },
    onPointerCancel: () => {
      start.current = null
    },
  }
}
