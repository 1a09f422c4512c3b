import { useTranslation } from 'react-i18next'
import type { SyncRunState } from '#shared/contract/sync-runs.ts'
import { StateWord, type Tone } from '../../ui/StateWord.tsx'

const TONES: Readonly<Record<SyncRunState, Tone>> = {
  reading: 'primary',
  planning: 'primary',
  applying: 'primary',
  planned: 'caution',
  held: 'caution',
  done: 'well',
  failed: 'danger',
  cancelled: 'quiet',
  discarded: 'quiet',
  undoing: 'primary',
  undone: 'quiet',
}

/** The state of a run. */
export function RunState({ state }: { state: SyncRunState }) {
  const { t } = useTranslation()
  return <StateWord tone={TONES[state]}>{t(`directory-sync.state.${state}`)}</StateWord>
}

/** How often a page polls a run in progress. */
export const POLL_MS = 1500

export const isUnderWay = (state: SyncRunState): boolean =>
  ['reading', 'planning', 'applying', 'undoing'].includes(state)
export const isWaiting = (state: SyncRunState): boolean => state === 'planned' || state === 'held'
