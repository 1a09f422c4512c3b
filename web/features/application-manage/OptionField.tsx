import { useTranslation } from 'react-i18next'
import { USER_ATTRIBUTES } from '#shared/contract/application-fields.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import type { ApplicationDraft } from './use-application-draft.ts'

/** Fields with a few fixed values; each has the message `application-option.<field>.<word>`. */
const OPTIONS = {
  singleLogout: ['back-channel', 'front-channel', 'none'],
  userAttribute: USER_ATTRIBUTES,
  consent: ['implicit', 'explicit'],
  subjectType: ['public', 'pairwise'],
  idTokenAlg: ['RS256', 'ES256'],
  profileStyle: ['nested', 'flat'],
  tokenStyle: ['json', 'text'],
} as const

type Name = keyof typeof OPTIONS

export function OptionField({ name, draft }: { name: Name; draft: ApplicationDraft }) {
  const { t } = useTranslation()
  const options: readonly string[] = OPTIONS[name]
  return (
    <SelectField
      label={t(`application-field.${name}`)}
      name={name}
      value={draft.value[name]}
      options={options.map((value) => ({ value, label: t(`application-option.${name}.${value}` as 'select.none') }))}
      onChange={(value) => value && draft.change({ [name]: value })}
    />
  )
}
