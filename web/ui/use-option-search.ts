import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { call } from '../platform/api.ts'

export type PickerOption = { id: string; label: string; hint?: string | undefined }

type Page<Row> = { records: Row[]; total: number }

export type OptionSource<Row> = {
  /** A list call of the contract with `search`. */
  endpoint: Endpoint<z.ZodType, z.ZodType, z.ZodType<Page<Row>>>
  /** Sent with each search. */
  query?: Record<string, string>
  toOption: (row: Row) => PickerOption
}

export type OptionSearch = {
  options: PickerOption[]
  hasMore: boolean
  isBusy: boolean
  isFailed: boolean
  /** The results belong to an earlier text. */
  isStale: boolean
}

const TYPING_MS = 300
const SHOWN = 10

/** A text, delayed until typing pauses. */
export const useDebouncedText = (text: string): string => useDebounced(text.normalize('NFKC').trim())

/** What was typed, as it is, once typing pauses. */
export function useDebounced(wanted: string): string {
  const [settled, setSettled] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), TYPING_MS)
    return () => clearTimeout(timer)
  }, [wanted])
  return settled
}

/** The first rows that match the text; null: no search. */
export function useOptionSearch<Row>(
  { endpoint, query, toOption }: OptionSource<Row>,
  text: string | null,
): OptionSearch {
  const search = useDebouncedText(text ?? '')
  const asked = { ...query, ...(search && { search }), pageSize: String(SHOWN) }
  const { data, isFetching, isError, isPlaceholderData } = useQuery({
    queryKey: ['picker', endpoint.path, asked],
    queryFn: ({ signal }) => call(endpoint, { query: asked as never }, { signal }) as Promise<Page<Row>>,
    enabled: text !== null,
    placeholderData: keepPreviousData,
  })
  return {
    options: (data?.records ?? []).map(toOption),
    hasMore: (data?.total ?? 0) > (data?.records.length ?? 0),
    isBusy: isFetching,
    isFailed: isError,
    isStale: isPlaceholderData || search !== (text ?? '').normalize('NFKC').trim(),
  }
}
