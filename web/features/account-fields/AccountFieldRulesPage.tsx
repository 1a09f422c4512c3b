import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  ACCOUNT_FIELDS,
  type AccountField,
  FIELD_RULE_NAMES,
  type FieldRuleName,
  type FieldRules,
  rulesOf,
  type StoredFieldRules,
} from '#shared/contract/account-fields.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { CustomFieldsTable } from './CustomFieldsTable.tsx'
import { FieldRulesDialog } from './FieldRulesDialog.tsx'
import { fieldRulesQuery, isDefault, isOpenRule, ruleWord } from './field-rules.ts'
import '../../ui/data-table.css'
import './account-fields.css'

type Props = {
  history: ReactNode
  /** Shows the progress of a background task. */
  task: (id: string, isOpen: boolean, onClose: () => void) => ReactNode
}

/** The rules of each field of a person. */
export function AccountFieldRulesPage({ history, task }: Props) {
  const { t } = useTranslation()
  const { data, error, isError, refetch } = useQuery(fieldRulesQuery)
  const loaded = (render: (stored: StoredFieldRules) => ReactNode) =>
    data ? (
      render(data)
    ) : isError ? (
      <FailedBlock error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton lines={8} />
    )
  const tabs = [
    {
      key: 'fields',
      label: t('field-rule.fields'),
      render: () => loaded((stored) => <FieldTable stored={stored} />),
    },
    {
      key: 'custom',
      label: t('custom-field.title'),
      render: () => loaded((stored) => <CustomFieldsTable stored={stored} task={task} />),
    },
    { key: 'history', label: t('login-config.tab.history'), render: () => history },
  ]
  return (
    <section className="field-rules" aria-labelledby="page-title">
      <header>
        <PageTitle>{t('field-rule.title')}</PageTitle>
        <p className="muted">{t('field-rule.explain')}</p>
      </header>
      <div className="card field-rules-body">
        <Tabs label={t('field-rule.parts')} tabs={tabs} param="tab" isPage />
      </div>
    </section>
  )
}

function FieldTable({ stored }: { stored: StoredFieldRules }) {
  const { t } = useTranslation()
  const [edited, setEdited] = useState<AccountField | null>(null)
  const rules = rulesOf(stored.values)
  return (
    <div className="field-rules-scroll">
      <table className="data-table" aria-label={t('field-rule.fields')}>
        <thead>
          <tr>
            <th scope="col">{t('field-rule.field')}</th>
            {FIELD_RULE_NAMES.map((name) => (
              <th key={name} scope="col">
                {t(`audit-field.${name}`)}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">{t('field-rule.change')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {ACCOUNT_FIELDS.map((field) => (
            <tr key={field} className="data-row">
              <th scope="row">
                {t(`person-field.${field}`)}
                <NarrowChanges field={field} rules={rules[field]} />
              </th>
              {FIELD_RULE_NAMES.map((name) => (
                <RuleCell
                  key={name}
                  field={field}
                  name={name}
                  value={rules[field][name]}
                  isByFile={stored.setByFile.includes(`${field}.${name}`)}
                />
              ))}
              <td>
                <button
                  type="button"
                  className="button button-quiet"
                  aria-label={t('field-rule.change-of', { field: t(`person-field.${field}`) })}
                  onClick={() => setEdited(field)}
                >
                  {t('field-rule.change')}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {edited && <FieldRulesDialog field={edited} stored={stored} onClose={() => setEdited(null)} />}
    </div>
  )
}

/** On a phone, which has room for one column: the other rules that differ from the default. */
function NarrowChanges({ field, rules }: { field: AccountField; rules: FieldRules }) {
  const { t } = useTranslation()
  const changed = FIELD_RULE_NAMES.filter((name) => name !== 'required' && !isDefault(field, name, rules[name]))
  return (
    <span className="field-rule-changes">
      {changed.map((name) => (
        <span key={name}>
          {t(`audit-field.${name}`)} <strong>{ruleWord(name, rules[name])}</strong>
        </span>
      ))}
    </span>
  )
}

type CellProps = { field: AccountField; name: FieldRuleName; value: unknown; isByFile: boolean }

/** Fixed values are greyed out, changed defaults highlighted. */
function RuleCell({ field, name, value, isByFile }: CellProps) {
  const { t } = useTranslation()
  // Who owns a number gives it and doesn't see it again.
  const word = field === 'idNumber' && name === 'visibleTo' ? t('field-rule.visibleTo.nobody') : ruleWord(name, value)
  return (
    <td className={isOpenRule(field, name) ? undefined : 'muted'}>
      {isDefault(field, name, value) ? word : <strong>{word}</strong>}
      {isByFile && <span className="tag">{t('login-config.by-file')}</span>}
    </td>
  )
}
