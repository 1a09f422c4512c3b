import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { checkApplication } from '#shared/contract/application-manage.ts'
import { call } from '../../platform/api.ts'
import { useDebouncedText } from '../../ui/use-option-search.ts'

type CheckResult = z.infer<typeof checkApplication.output>
export type Overlap = CheckResult['overlaps'][number]

type CheckInput = { id?: string; appId?: string; clientId?: string; addresses?: readonly string[] }

/** The server's check of names and addresses while typing; undefined until it has answered. */
export function useAddressCheck(asked: CheckInput): CheckResult | undefined {
  const inputText = JSON.stringify(asked)
  const text = useDebouncedText(inputText)
  const { data } = useQuery({
    queryKey: ['application-check', text],
    queryFn: ({ signal }) => {
      const { addresses = [], ...names } = JSON.parse(text) as CheckInput
      return call(checkApplication, { body: { ...names, addresses: addresses.filter(Boolean) } }, { signal })
    },
  })
  // Ignore the answer to earlier input.
  return text === inputText ? data : undefined
}
