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

/** Enough to show the names of chosen ones; others are found by typing. */
const NAMED = 1000

const loadCategories = async (signal: AbortSignal) =>
  (await call(userCategories.list, { query: { pageSize: NAMED } }, { signal })).records.map(toCategory)
const loadNames = {
  secondFactorCategories: loadCategories,
  dormantExemptCategories: loadCategories,
  passwordRules: loadCategories,
  secondFactorApplications: async (signal: AbortSignal) =>
    (await call(listApplications, { query: { pageSize: NAMED } }, { signal })).records.map(toApplication),
}

type Props = Omit<ControlProps, 'name'> & { kind: Kind; name?: ControlProps['name']; error?: string | undefined }

/** Categories or applications that a rule lists by code. */
export function CodesField({ kind, value, onChange, ...control }: Props) {
  const { t } = useTranslation()
  const names = useQuery({ queryKey: ['login-config-names', kind], queryFn: ({ signal }) => loadNames[kind](signal) })
  const codes = value as string[]
  const nameOf = (code: string): PickerOption => {
    const known = names.data?.find(({ id }) => id === code)
    return known ?? { id: code, label: names.data ? t('login-config.gone', { code }) : code }
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
