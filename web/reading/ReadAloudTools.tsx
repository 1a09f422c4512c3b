import { useEffect, useRef, useState } from 'react'
import { READING, type ReadingChoices } from '#shared/rules/reading-choices.ts'
import { type Reader, startReader, type VoiceProblem } from './read-aloud.ts'
import { ToolButton, ToolGroup, type Translate } from './ToolButton.tsx'

type Props = { t: Translate; choices: ReadingChoices; change: (changes: Partial<ReadingChoices>) => void }

/** Reading aloud: on, speed, pause, and captions in large letters. */
export function ReadAloudTools({ t, choices, change }: Props) {
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
    <ToolGroup label={t('reading.aloud')}>
      <ToolButton
        isOn={aloud}
        onPress={() => {
          setPaused(false)
          change({ aloud: !aloud })
        }}
      >
        {t('reading.aloud.on')}
      </ToolButton>
      {aloud && (
        <>
          <ToolButton isOn={paused} onPress={pause}>
            {t('reading.pause')}
          </ToolButton>
          <ToolButton isOff={at === 0} onPress={() => pace(at - 1)}>
            {t('reading.slower')}
          </ToolButton>
          <ToolButton isOff={at === READING.speed.length - 1} onPress={() => pace(at + 1)}>
            {t('reading.faster')}
          </ToolButton>
          <output className="reading-value" aria-live="polite">
            {speed} %
          </output>
        </>
      )}
      <ToolButton isOn={caption} onPress={() => change({ caption: !caption })}>
        {t('reading.caption')}
      </ToolButton>
      <span className="reading-problem" role="status">
        {aloud && problem && t(`reading.voice.${problem}`)}
      </span>
    </ToolGroup>
  )
}

function useReader({ aloud, speed, caption }: ReadingChoices) {
  const reader = useRef<Reader | null>(null)
  const [problem, setProblem] = useState<VoiceProblem | null>(null)
  // Captions work without a voice.
  const shown = caption || (aloud && problem === 'none')
  useEffect(() => {
    if (!aloud && !shown) return
    const started = startReader({ speak: aloud, speed, caption: shown, onProblem: setProblem })
    reader.current = started
    return () => started.stop()
  }, [aloud, speed, shown])
  return { reader, problem }
}
