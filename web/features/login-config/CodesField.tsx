import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listApplications } from '#shared/contract/application-manage.ts'
import { userCategories } from '#shared/contract/reference-data.ts'
import { call } from '../../platform/api.ts'
import { Picker, type PickerOption } from '../../ui/Picker.tsx'
import type { ControlProps } from './policy-control.ts'

type Kind = 'secondFactorCategories' | 'secondFactorApplications' | 'dormantExemptCategories' | 'passwordRules'

type Category = { code: string; shownName: string }
type Application = { appId: string; name: string }
const toCategory = ({ code, shownName }: Category): PickerOption => ({ id: code, label: shownName, hint: code })
const toApplication = ({ appId, name }: Application): PickerOption => ({ id: appId, label: name, hint: appId })

const PAGE_SIZE = 1000
/** Lists go no further. */
const MAX_PAGES = 10

/** The names of all; chosen ones may be on any page. `isComplete`: those that are missing have been deleted. */
async function loadAll(loadPage: (page: { pageIndex: number; pageSize: number }) => Promise<PickerOption[]>) {
  const names = new Map<string, PickerOption>()
  for (let pageIndex = 1; pageIndex <= MAX_PAGES; pageIndex++) {
    const options = await loadPage({ pageIndex, pageSize: PAGE_SIZE })
    for (const option of options) names.set(option.id, option)
    if (options.length < PAGE_SIZE) return { names, isComplete: true }
  }
  return { names, isComplete: false }
}

const loadCategories = (signal: AbortSignal) =>
  loadAll(async (query) => (await call(userCategories.list, { query }, { signal })).records.map(toCategory))
const loadApplications = (signal: AbortSignal) =>
  loadAll(async (query) => (await call(listApplications, { query }, { signal })).records.map(toApplication))
const loadNames = {
  secondFactorCategories: loadCategories,
  dormantExemptCategories: loadCategories,
  passwordRules: loadCategories,
  secondFactorApplications: loadApplications,
}

type Props = Omit<ControlProps, 'name'> & { kind: Kind; name?: ControlProps['name']; error?: string | undefined }

/** Categories or applications that a rule lists by code. */
export function CodesField({ kind, value, onChange, ...control }: Props) {
  const { t } = useTranslation()
  const names = useQuery({ queryKey: ['login-config-names', kind], queryFn: ({ signal }) => loadNames[kind](signal) })
  const codes = value as string[]
  const nameOf = (code: string): PickerOption =>
    names.data?.names.get(code) ?? {
      id: code,
      label: names.data?.isComplete ? t('login-config.gone', { code }) : code,
    }
  const chosen = codes.map(nameOf)
  const props = {
    ...control,
    multiple: true,
    isOptional: true,
    value: chosen,
    onChange: (some: PickerOption[]) => onChange(some.map(({ id }) => id)),
  }
  return kind === 'secondFactorApplications' ? (
    <Picker {...props} endpoint={listApplications} toOption={toApplication} />
  ) : (
    <Picker {...props} endpoint={userCategories.list} toOption={toCategory} />
  )
}
