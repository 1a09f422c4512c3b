import 'virtual:reading.css'
import './reading.css'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { READING, READING_DEFAULTS, type ReadingChoices } from '#shared/rules/reading-choices.ts'
import { catchUpReading, chooseReading, READING_ENTRY, useReading, wasJustOpened } from '../platform/reading.ts'
import { AloudTools } from './AloudTools.tsx'
import { startGuide } from './guide.ts'
import { drawPointers } from './pointers.ts'
import { Group, Tool, type Translate } from './Tool.tsx'

/** Accessible reading: the tools that were chosen, and the toolbar while it is open. `t` knows the keys `reading.*`. */
export function ReadingBar({ t }: { t: Translate }) {
  const choices = useReading() ?? READING_DEFAULTS
  usePointers(choices.mouse)
  useGuide(choices.guide)
  useOtherTabs()
  const change = (changes: Partial<ReadingChoices>) => chooseReading({ ...choices, ...changes })
  return <Bar t={t} choices={choices} change={change} />
}

type Props = { t: Translate; choices: ReadingChoices; change: (changes: Partial<ReadingChoices>) => void }

function leave(next: ReadingChoices | null): void {
  chooseReading(next)
  document.getElementById(READING_ENTRY)?.focus()
}

function Bar({ t, choices, change }: Props) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') leave({ ...choices, open: false })
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
      <Size t={t} choices={choices} change={change} />
      <Group label={t('reading.contrast')}>
        {READING.contrast.slice(1).map((option) => (
          <Tool key={option} {...toggled('contrast', option)}>
            <span className={`reading-sample reading-sample-${option}`} aria-hidden="true">
              文
            </span>
            {t(`reading.contrast.${option}`)}
          </Tool>
        ))}
      </Group>
      <Group label={t('reading.mouse')}>
        {READING.mouse.map((option) => (
          <Tool key={option} isOn={choices.mouse === option} onPress={() => change({ mouse: option })}>
            {t(`reading.mouse.${option}`)}
          </Tool>
        ))}
      </Group>
      <Group label={t('reading.guide')}>
        {READING.guide.slice(1).map((option) => (
          <Tool key={option} {...toggled('guide', option)}>
            {t(`reading.guide.${option}`)}
          </Tool>
        ))}
      </Group>
      <AloudTools t={t} choices={choices} change={change} />
      <Group label={t('reading.all')}>
        <Tool onPress={() => change({ ...READING_DEFAULTS, open: true })}>{t('reading.reset')}</Tool>
        <Tool onPress={() => leave({ ...choices, open: false })}>{t('reading.hide')}</Tool>
        <Tool onPress={() => leave(null)}>{t('reading.exit')}</Tool>
      </Group>
    </section>
  )
}

function Size({ t, choices, change }: Props) {
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (choices.open && wasJustOpened()) first.current?.focus()
  }, [choices.open])
  const at = READING.size.indexOf(choices.size)
  const go = (to: number) => {
    const size = READING.size[to]
    if (size) change({ size })
  }
  const last = READING.size.length - 1
  return (
    <Group label={t('reading.size')}>
      <Tool ref={first} isOn={choices.size > 100} isOff={at === last} onPress={() => go(at + 1)}>
        <span aria-hidden="true">A+</span> {t('reading.magnify')}
      </Tool>
      <Tool isOff={at === 0} onPress={() => go(at - 1)}>
        <span aria-hidden="true">A−</span> {t('reading.shrink')}
      </Tool>
      <output className="reading-value" aria-live="polite">
        {choices.size} %
      </output>
    </Group>
  )
}

function usePointers(mouse: ReadingChoices['mouse']): void {
  useEffect(() => (mouse === 'normal' ? undefined : drawPointers(mouse)), [mouse])
}

function useGuide(guide: ReadingChoices['guide']): void {
  useEffect(() => (guide === 'none' ? undefined : startGuide(guide)), [guide])
}

function useOtherTabs(): void {
  const [onShow] = useState(() => () => document.visibilityState === 'visible' && catchUpReading())
  useEffect(() => {
    document.addEventListener('visibilitychange', onShow)
    return () => document.removeEventListener('visibilitychange', onShow)
  }, [onShow])
}
