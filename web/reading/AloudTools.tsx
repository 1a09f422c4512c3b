import { useEffect, useRef, useState } from 'react'
import { READING, type ReadingChoices } from '#shared/rules/reading-choices.ts'
import { type Reader, startReader, type VoiceProblem } from './aloud.ts'
import { Group, Tool, type Translate } from './Tool.tsx'

type Props = { t: Translate; choices: ReadingChoices; change: (changes: Partial<ReadingChoices>) => void }

/** Reading aloud: on, speed, pause, and what is said in large letters. */
export function AloudTools({ t, choices, change }: Props) {
  const { aloud, speed, caption } = choices
  const [paused, setPaused] = useState(false)
  const { reader, problem } = useReader(choices)
  const at = READING.speed.indexOf(speed)
  const pace = (to: number) => {
    const next = READING.speed[to]
    if (next) change({ speed: next })
  }
  const pause = () => {
    reader.current?.pause(!paused)
    setPaused(!paused)
  }
  return (
    <Group label={t('reading.aloud')}>
      <Tool
        isOn={aloud}
        onPress={() => {
          setPaused(false)
          change({ aloud: !aloud })
        }}
      >
        {t('reading.aloud.on')}
      </Tool>
      {aloud && (
        <>
          <Tool isOn={paused} onPress={pause}>
            {t('reading.pause')}
          </Tool>
          <Tool isOff={at === 0} onPress={() => pace(at - 1)}>
            {t('reading.slower')}
          </Tool>
          <Tool isOff={at === READING.speed.length - 1} onPress={() => pace(at + 1)}>
            {t('reading.faster')}
          </Tool>
          <output className="reading-value" aria-live="polite">
            {speed} %
          </output>
        </>
      )}
      <Tool isOn={caption} onPress={() => change({ caption: !caption })}>
        {t('reading.caption')}
      </Tool>
      <span className="reading-problem" role="status">
        {aloud && problem && t(`reading.voice.${problem}`)}
      </span>
    </Group>
  )
}

function useReader({ aloud, speed, caption }: ReadingChoices) {
  const reader = useRef<Reader | null>(null)
  const [problem, setProblem] = useState<VoiceProblem | null>(null)
  // Who hears nothing can still read it.
  const shown = caption || (aloud && problem === 'none')
  useEffect(() => {
    if (!aloud && !shown) return
    const started = startReader({ speak: aloud, speed, caption: shown, onProblem: setProblem })
    reader.current = started
    return () => started.stop()
  }, [aloud, speed, shown])
  return { reader, problem }
}
