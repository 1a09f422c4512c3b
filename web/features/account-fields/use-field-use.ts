import { useQuery } from '@tanstack/react-query'
import { customFieldUse } from '#shared/contract/custom-fields.ts'
import { call } from '../../platform/api.ts'

/** How many people have a value of a field of the institution's own, as of now. */
export const useFieldUse = (key: string) =>
  useQuery({
    queryKey: ['custom-field-use', key],
    queryFn: ({ signal }) => call(customFieldUse, { query: { key } }, { signal }),
    staleTime: 0,
  })
