import 'virtual:reading.css'
import './reading.css'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { READING, READING_DEFAULTS, type ReadingChoices } from '#shared/rules/reading-choices.ts'
import {
  consumeJustOpened,
  READING_BUTTON_ID,
  setReadingChoices,
  syncReadingChoices,
  useReadingChoices,
} from '../platform/reading-choices.ts'
import { startGuide } from './guide.ts'
import { applyPointers } from './pointers.ts'
import { ReadAloudTools } from './ReadAloudTools.tsx'
import { ToolButton, ToolGroup, type Translate } from './ToolButton.tsx'

/** Accessible reading: the chosen tools, and the toolbar while it is open. `t` knows the keys `reading.*`. */
export function ReadingBar({ t }: { t: Translate }) {
  const choices = useReadingChoices() ?? READING_DEFAULTS
  usePointers(choices.mouse)
  useGuide(choices.guide)
  useOtherTabs()
  const change = (changes: Partial<ReadingChoices>) => setReadingChoices({ ...choices, ...changes })
  return <Bar t={t} choices={choices} change={change} />
}

type Props = { t: Translate; choices: ReadingChoices; change: (changes: Partial<ReadingChoices>) => void }

function exitReading(next: ReadingChoices | null): void {
  setReadingChoices(next)
  document.getElementById(READING_BUTTON_ID)?.focus()
}

function Bar({ t, choices, change }: Props) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') exitReading({ ...choices, open: false })
  }
  const toggled = <Name extends 'mouse' | 'guide' | 'contrast'>(name: Name, option: ReadingChoices[Name]) => ({
    isOn: choices[name] === option,
    onPress: () => change({ [name]: choices[name] === option ? READING_DEFAULTS[name] : option }),
  })
  return (
    <section
      id="reading-bar"
      className="reading-bar"
      aria-label={t('reading.title')}
      hidden={!choices.open}
      onKeyDown={onKeyDown}
    >
      <SizeTools t={t} choices={choices} change={change} />
      <ToolGroup label={t('reading.contrast')}>
        {READING.contrast.slice(1).map((option) => (
          <ToolButton key={option} {...toggled('contrast', option)}>
            <span className={`reading-sample reading-sample-${option}`} aria-hidden="true">
              文
            </span>
            {t(`reading.contrast.${option}`)}
          </ToolButton>
        ))}
      </ToolGroup>
      <ToolGroup label={t('reading.mouse')}>
        {READING.mouse.map((option) => (
          <ToolButton key={option} isOn={choices.mouse === option} onPress={() => change({ mouse: option })}>
            {t(`reading.mouse.${option}`)}
          </ToolButton>
        ))}
      </ToolGroup>
      <ToolGroup label={t('reading.guide')}>
        {READING.guide.slice(1).map((option) => (
          <ToolButton key={option} {...toggled('guide', option)}>
            {t(`reading.guide.${option}`)}
          </ToolButton>
        ))}
      </ToolGroup>
      <ReadAloudTools t={t} choices={choices} change={change} />
      <ToolGroup label={t('reading.all')}>
        <ToolButton onPress={() => change({ ...READING_DEFAULTS, open: true })}>{t('reading.reset')}</ToolButton>
        <ToolButton onPress={() => exitReading({ ...choices, open: false })}>{t('reading.hide')}</ToolButton>
        <ToolButton onPress={() => exitReading(null)}>{t('reading.exit')}</ToolButton>
      </ToolGroup>
    </section>
  )
}

function SizeTools({ t, choices, change }: Props) {
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (choices.open && consumeJustOpened()) first.current?.focus()
  }, [choices.open])
  const at = READING.size.indexOf(choices.size)
  const go = (to: number) => {
    const size = READING.size[to]
    if (size) change({ size })
  }
  const last = READING.size.length - 1
  return (
    <ToolGroup label={t('reading.size')}>
      <ToolButton ref={first} isOn={choices.size > 100} isOff={at === last} onPress={() => go(at + 1)}>
        <span aria-hidden="true">A+</span> {t('reading.magnify')}
      </ToolButton>
      <ToolButton isOff={at === 0} onPress={() => go(at - 1)}>
        <span aria-hidden="true">A−</span> {t('reading.shrink')}
      </ToolButton>
      <output className="reading-value" aria-live="polite">
        {choices.size} %
      </output>
    </ToolGroup>
  )
}

function usePointers(mouse: ReadingChoices['mouse']): void {
  useEffect(() => (mouse === 'normal' ? undefined : applyPointers(mouse)), [mouse])
}

function useGuide(guide: ReadingChoices['guide']): void {
  useEffect(() => (guide === 'none' ? undefined : startGuide(guide)), [guide])
}

function useOtherTabs(): void {
  const [onShow] = useState(() => () => document.visibilityState === 'visible' && syncReadingChoices())
  useEffect(() => {
    document.addEventListener('visibilitychange', onShow)
    return () => document.removeEventListener('visibilitychange', onShow)
  }, [onShow])
}
