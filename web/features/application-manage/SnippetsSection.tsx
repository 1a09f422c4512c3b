import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApplicationDetails } from '#shared/contract/application-manage.ts'
import { templateOf } from '#shared/rules/application-templates/list.ts'
import { integrationEndpoints, integrationSnippets } from '#shared/rules/integration-snippets.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Code } from './PreviewSection.tsx'
import { TemplateInstructions } from './TemplateInstructions.tsx'

/** Configuration snippets for common clients, filled in for this application. */
export function SnippetsSection({ app }: { app: ApplicationDetails }) {
  const { t } = useTranslation()
  const facts = {
    protocol: app.protocol,
    publicUrl: location.origin,
    address: addressOf(app),
    clientId: app.clientId ?? app.appId,
    scopes: app.scopes.length > 0 ? app.scopes : ['openid'],
    hasSecret: app.hasSecret,
  }
  const snippets = integrationSnippets(facts)
  const [key, setKey] = useState(snippets[0]?.key ?? '')
  const template = templateOf(app.template)
  const chosen = snippets.find((one) => one.key === key) ?? snippets[0]
  return (
    <div className="snippets">
      {template && <TemplateInstructions template={template} facts={{ base: baseOf(app), clientId: facts.clientId }} />}
      <p className="muted">{t('snippets.text')}</p>
      <h2>{t('snippets.endpoints')}</h2>
      <dl className="endpoint-list">
        {integrationEndpoints(facts).map(([name, address]) => (
          <div key={name}>
            <dt>{t(`endpoint-name.${name}`)}</dt>
            <dd>
              <code>{address}</code>
              <CopyButton text={address} label={t(`endpoint-name.${name}`)} />
            </dd>
          </div>
        ))}
      </dl>
      <SelectField
        label={t('snippets.choose')}
        value={chosen?.key ?? ''}
        options={snippets.map((one) => ({ value: one.key, label: one.name }))}
        onChange={setKey}
      />
      {chosen && <Code title={chosen.file} text={chosen.text} />}
      {app.protocol === 'oauth2' && app.hasSecret && <p className="muted">{t('snippets.secret')}</p>}
    </div>
  )
}

/** The product's start address, or else the host of its registered address. */
const baseOf = (app: ApplicationDetails): string => (app.url ?? new URL(addressOf(app)).origin).replace(/\/$/, '')

/** A concrete address of the application: for a folder, the folder itself. */
function addressOf({ protocol, serviceUrls, redirectUris, url }: ApplicationDetails): string {
  const registered = protocol === 'cas' ? serviceUrls[0] : redirectUris[0]
  const address = (registered ?? url ?? '').replace(/\*\*$/, '')
  return URL.canParse(address) ? address : 'https://application.invalid/'
}
