import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogStream } from '#shared/contract/log-streams.ts'
import { useCount } from '../../platform/format-number.ts'
import { StateWord, type Tone } from '../../ui/StateWord.tsx'

/** Parts of other features. */
export type StreamSlots = { history: (id: string) => ReactNode }

const TONES: Readonly<Record<LogStream['state'], Tone>> = {
  current: 'well',
  behind: 'caution',
  failing: 'danger',
  paused: 'quiet',
}

export function StreamState({ state }: Pick<LogStream, 'state'>) {
  const { t } = useTranslation()
  return <StateWord tone={TONES[state]}>{t(`log-stream.state.${state}`)}</StateWord>
}

/** The receiver, in a line. */
export function placeOf({ kind, host, port, tls, url }: LogStream): string {
  if (kind === 'https') return url
  return `${host.includes(':') ? `[${host}]` : host}:${port || (tls === 'off' ? 514 : 6514)}`
}

/** Numbers of waiting records: counted up to 10,000 per log. */
export function useWaiting() {
  const number = useCount()
  return (cursors: readonly Pick<LogStream['cursors'][number], 'waiting' | 'isMore'>[]): string => {
    const sum = cursors.reduce((all, { waiting }) => all + waiting, 0)
    return `${number(sum)}${cursors.some(({ isMore }) => isMore) ? '+' : ''}`
  }
}
