import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  acceptImportRows,
  checkImport,
  type ImportField,
  type ImportRun,
  importDetails,
  startImport,
  undoImport,
} from '#shared/contract/user-imports.ts'
import { call } from '../../platform/api.ts'
import { queryClient } from '../../platform/queries.ts'

export const IMPORTS_KEY = 'user-imports'
const BUSY_STATES: readonly string[] = ['checking', 'importing', 'undoing']
const POLL_INTERVAL_MS = 1000

export const isBusy = ({ state }: Pick<ImportRun, 'state'>): boolean => BUSY_STATES.includes(state)

/** An import's current state, polled while it is being processed. */
export function useImportRun(id: string) {
  const { i18n } = useTranslation()
  const key = [IMPORTS_KEY, 'run', id, i18n.language]
  return useQuery({
    queryKey: key,
    queryFn: ({ signal, client }) =>
      call(importDetails, { query: { id } }, { signal, background: client.getQueryData(key) !== undefined }),
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? POLL_INTERVAL_MS : false),
  })
}

/** Stores a run from an answer; all lists of imports become stale. */
export async function cacheRun(run: ImportRun, language: string): Promise<void> {
  queryClient.setQueryData([IMPORTS_KEY, 'run', run.id, language], run)
  await queryClient.invalidateQueries({ queryKey: [IMPORTS_KEY] })
}

type DoubtfulRows = { rows: number[] } | { all: true }
type Step =
  | { name: 'check'; mapping: (ImportField | null)[] }
  | { name: 'accept'; selection: DoubtfulRows; accepted: boolean }
  | { name: 'start' }
  | { name: 'undo' }

function take({ id, version }: ImportRun, step: Step): Promise<ImportRun> {
  const query = { id }
  if (step.name === 'check') return call(checkImport, { query, body: { version, mapping: step.mapping } })
  if (step.name === 'accept') {
    const { selection, accepted } = step
    return call(acceptImportRows, { query, body: { version, selection, accepted } })
  }
  return call(step.name === 'start' ? startImport : undoImport, { query, body: { version } })
}

/** Advances a run. */
export function useImportStep(run: ImportRun) {
  const { i18n } = useTranslation()
  return useMutation({
    mutationFn: (step: Step) => take(run, step),
    onSuccess: (next) => cacheRun(next, i18n.language),
    onError: () => queryClient.invalidateQueries({ queryKey: [IMPORTS_KEY, 'run', run.id] }),
  })
}
