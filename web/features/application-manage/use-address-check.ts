import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { checkApplication } from '#shared/contract/application-manage.ts'
import { call } from '../../platform/api.ts'
import { useSettled } from '../../ui/use-found.ts'

type Checked = z.infer<typeof checkApplication.output>
export type Overlap = Checked['overlaps'][number]

type Asked = { id?: string; appId?: string; clientId?: string; addresses?: readonly string[] }

/** What the server knows of names and addresses while they are typed; undefined until it has answered. */
export function useAddressCheck(asked: Asked): Checked | undefined {
  const wanted = JSON.stringify(asked)
  const text = useSettled(wanted)
  const { data } = useQuery({
    queryKey: ['application-check', text],
    queryFn: ({ signal }) => {
      const { addresses = [], ...names } = JSON.parse(text) as Asked
      return call(checkApplication, { body: { ...names, addresses: addresses.filter(Boolean) } }, { signal })
    },
  })
  // What was said of the words of before is nothing about these.
  return text === wanted ? data : undefined
}
