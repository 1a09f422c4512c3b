import { useQuery } from '@tanstack/react-query'
import { customFieldUse } from '#shared/contract/custom-fields.ts'
import { call } from '../../platform/api.ts'

/** The current number of people with a value of a custom field. */
export const useFieldUse = (key: string) =>
  useQuery({
    queryKey: ['custom-field-use', key],
    queryFn: ({ signal }) => call(customFieldUse, { query: { key } }, { signal }),
    staleTime: 0,
  })
