import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AccountSecurity, bindAlias } from '#shared/contract/account-security.ts'
import { ALIAS_RULES, brokenAliasRules } from '#shared/rules/alias.ts'
import { call } from '../../platform/api.ts'
import { refusalMessage } from '../../platform/refusal.ts'
import { Field } from '../../ui/Field.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { SubmitDialog } from '../../ui/SubmitDialog.tsx'
import { RemoveButton } from './RemoveButton.tsx'
import { useSecurityChange } from './security-queries.ts'

type Props = { userId: string; security: AccountSecurity; onRemove: () => void; onClose: () => void }

/** Chooses an alias; its rules are checked while typing. */
export function AliasDialog({ userId, security, onRemove, onClose }: Props) {
  const { t } = useTranslation()
  const { alias: former, aliasChangesLeft, version } = security
  const [alias, setAlias] = useState('')
  const isReady = brokenAliasRules(alias).length === 0
  const change = useSecurityChange({
    make: () => call(bindAlias, { query: { id: userId }, body: { alias, version } }),
    done: t('set-account.alias.done'),
    onDone: onClose,
  })
  const refusal = refusalMessage(change.error, 'alias.')
  return (
    <SubmitDialog
      title={t(former ? 'set-account.alias.change' : 'set-account.alias.choose')}
      verb={t('set-account.alias.save')}
      isBusy={change.isPending}
      isReady={isReady}
      error={change.error}
      told={refusal !== undefined}
      onSubmit={() => change.mutate()}
      onClose={onClose}
      aside={former && <RemoveButton label={t('set-account.alias.remove')} onClick={onRemove} />}
    >
      {(submitted) => (
        <>
          <p className="muted">
            {former ? t('set-account.alias.consequence', { former }) : t('set-account.alias.good-for')}
          </p>
          <p className="muted">{t('set-account.alias.left', { count: aliasChangesLeft })}</p>
          <Field
            label={t('set-account.alias.new')}
            error={submitted && !isReady ? t('set-account.alias.malformed') : refusal}
          >
            {(aria) => (
              <input
                {...aria}
                className="input"
                type="text"
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                maxLength={64}
                value={alias}
                onChange={({ target }) => {
                  setAlias(target.value)
                  change.reset()
                }}
              />
            )}
          </Field>
          <AliasRules alias={alias} />
        </>
      )}
    </SubmitDialog>
  )
}

function AliasRules({ alias }: { alias: string }) {
  const { t } = useTranslation()
  const id = useId()
  const broken = brokenAliasRules(alias)
  return (
    <section className="password-rules" aria-labelledby={id}>
      <p id={id}>{t('set-account.alias.rules')}</p>
      <ul>
        {ALIAS_RULES.map((rule) => {
          const met = alias !== '' && !broken.includes(rule)
          return (
            <li key={rule} className={met ? 'met' : undefined}>
              {met ? <Icon name="check" /> : <span className="rule-dot" />}
              {t(`alias.rule.${rule}`)}
              {met && <span className="visually-hidden">{t('password.rule-met')}</span>}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
