import { spokenText } from './spoken-text.ts'
import { mountInTopLayer } from './top-layer.ts'

/** Milliseconds of hovering before an element is read; shorter would read everything that the pointer passes. */
const HOVER_DELAY_MS = 180
/** Browsers load their voices on the first request. */
const VOICES_TIMEOUT_MS = 1500

export type VoiceProblem = 'none' | 'not-this-language'

type Options = {
  speak: boolean
  /** In percent. */
  speed: number
  caption: boolean
  onProblem(problem: VoiceProblem | null): void
}

export type Reader = { pause(paused: boolean): void; stop(): void }

/** Reads, and shows in large letters, what is under the pointer or has the focus. */
export function startReader({ speak, speed, caption, onProblem }: Options): Reader {
  const shown = caption ? createCaption() : null
  const voice = speak ? createVoice(speed, onProblem) : null
  let last: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let paused = false
  const say = (element: Element) => {
    const text = spokenText(element)
    if (text === null || text === last || paused) return
    last = text
    const lang = element.closest<HTMLElement>('[lang]')?.lang ?? ''
    shown?.show(text, lang)
    voice?.say(text, lang)
  }
  const sayLater = (event: Event, delay: number) => {
    clearTimeout(timer)
    const { target } = event
    if (target instanceof Element) timer = setTimeout(() => say(target), delay)
  }
  const onPointer = (event: Event) => sayLater(event, HOVER_DELAY_MS)
  const onFocus = (event: Event) => sayLater(event, 0)
  addEventListener('pointerover', onPointer, { passive: true })
  addEventListener('focusin', onFocus)
  return {
    pause(wanted) {
      paused = wanted
      voice?.pause(wanted)
    },
    stop() {
      clearTimeout(timer)
      removeEventListener('pointerover', onPointer)
      removeEventListener('focusin', onFocus)
      voice?.stop()
      shown?.remove()
    },
  }
}

function createCaption() {
  const line = document.createElement('p')
  line.className = 'reading-caption'
  line.hidden = true
  const remove = mountInTopLayer(line)
  const show = (text: string, lang: string) => {
    line.hidden = false
    line.lang = lang
    line.textContent = text
  }
  return { show, remove }
}

function createVoice(speed: number, onProblem: Options['onProblem']) {
  const speech = 'speechSynthesis' in globalThis ? globalThis.speechSynthesis : null
  const timer = setTimeout(
    () => {
      if (!speech || speech.getVoices().length === 0) onProblem('none')
    },
    hasVoices(speech) ? 0 : VOICES_TIMEOUT_MS,
  )
  return {
    say(text: string, lang: string) {
      const voices = speech?.getVoices() ?? []
      if (!speech || voices.length === 0) return
      const voice = findVoice(voices, lang)
      onProblem(voice ? null : 'not-this-language')
      speech.cancel()
      // A voice for another language would be unintelligible.
      if (!voice) return
      const utterance = new SpeechSynthesisUtterance(text)
      utterance.lang = voice.lang
      utterance.voice = voice
      utterance.rate = speed / 100
      speech.speak(utterance)
    },
    pause(paused: boolean) {
      if (paused) speech?.pause()
      else speech?.resume()
    },
    stop() {
      clearTimeout(timer)
      speech?.cancel()
      // A voice left paused would stay silent on the next page.
      speech?.resume()
    },
  }
}

const hasVoices = (speech: SpeechSynthesis | null): boolean => !speech || speech.getVoices().length > 0

/** The same language and region, else the same language. */
function findVoice(voices: SpeechSynthesisVoice[], lang: string): SpeechSynthesisVoice | undefined {
  const wanted = lang.toLowerCase()
  const [language = ''] = wanted.split('-')
  const tagOf = (voice: SpeechSynthesisVoice) => voice.lang.toLowerCase().replace('_', '-')
  return (
    voices.find((voice) => tagOf(voice) === wanted) ?? voices.find((voice) => tagOf(voice).split('-')[0] === language)
  )
}
