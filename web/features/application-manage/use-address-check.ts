import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { checkApplication } from '#shared/contract/application-manage.ts'
import { call } from '../../platform/api.ts'
import { useDebouncedText } from '../../ui/use-option-search.ts'

type CheckResult = z.infer<typeof checkApplication.output>
export type Overlap = CheckResult['overlaps'][number]

type CheckInput = { id?: string; appId?: string; clientId?: string; addresses?: readonly string[] }

/** What the server knows of names and addresses while they are typed; undefined until it has answered. */
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
  // What was said of the words of before is nothing about these.
  return text === inputText ? data : undefined
}
