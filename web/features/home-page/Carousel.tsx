import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ShownSlide } from '#shared/contract/home-page.ts'
import { Icon } from '../../ui/Icon.tsx'
import './carousel.css'

const SLIDE_MS = 7000

/** With reduced motion the first picture stays until another is requested; the same in a preview. */
const startsStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches || document.body.inert

/** A carousel that pauses under the pointer, while it has the focus, and on request. */
export function Carousel({ slides }: { slides: readonly ShownSlide[] }) {
  const { t } = useTranslation()
  const [at, setAt] = useState(0)
  const [isPaused, setPaused] = useState(startsStill)
  const [isHeld, setHeld] = useState(false)
  const count = slides.length
  const isMoving = count > 1 && !isPaused && !isHeld
  const shown = at % count
  useEffect(() => {
    if (!isMoving) return
    const timer = setInterval(() => setAt((before) => before + 1), SLIDE_MS)
    return () => clearInterval(timer)
  }, [isMoving])
  const step = (by: number) => setAt((shown + by + count) % count)
  return (
    <section
      className="app-section carousel"
      aria-roledescription={t('home-page.carousel')}
      aria-label={t('home-page.carousel-label')}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={({ currentTarget, relatedTarget }) => setHeld(currentTarget.contains(relatedTarget))}
    >
      <div className="carousel-slides" aria-live={isMoving ? 'off' : 'polite'}>
        {slides.map((slide, index) => (
          <Slide
            key={`${slide.picture} ${slide.alternative}`}
            slide={slide}
            label={t('home-page.slide', { number: index + 1, count })}
            isShown={index === shown}
          />
        ))}
      </div>
      {count > 1 && (
        <div className="carousel-controls">
          <button type="button" className="button" onClick={() => setPaused(!isPaused)}>
            {t(isPaused ? 'home-page.play' : 'home-page.pause')}
          </button>
          <button type="button" className="button" aria-label={t('home-page.previous')} onClick={() => step(-1)}>
            <Icon name="back" />
          </button>
          <span className="tabular" aria-hidden="true">
            {shown + 1} / {count}
          </span>
          <button type="button" className="button" aria-label={t('home-page.next')} onClick={() => step(1)}>
            <Icon name="forward" />
          </button>
        </div>
      )}
    </section>
  )
}

function Slide({ slide, label, isShown }: { slide: ShownSlide; label: string; isShown: boolean }) {
  const { t } = useTranslation()
  const { picture, alternative, url } = slide
  const image = <img src={picture} alt={alternative} />
  return (
    // biome-ignore lint/a11y/useSemanticElements: a slide of a carousel, as the ARIA practices name it.
    <div
      className="carousel-slide"
      role="group"
      aria-roledescription={t('home-page.slide-role')}
      aria-label={label}
      hidden={!isShown}
    >
      {url === null ? (
        image
      ) : (
        <a href={url} target="_blank" rel="noopener">
          {image}
          <span className="visually-hidden"> {t('my-apps.new-tab')}</span>
        </a>
      )}
    </div>
  )
}
