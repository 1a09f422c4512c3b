import { useTranslation } from 'react-i18next'
import {
  type ApplicationTemplate,
  instructionsOf,
  type TemplateFacts,
} from '#shared/rules/application-templates/template.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Code } from './PreviewSection.tsx'
import './template-gallery.css'

type Props = { template: ApplicationTemplate; facts: Omit<TemplateFacts, 'publicUrl'> }

/** What to enter in the product, under its own names. */
export function TemplateInstructions({ template, facts }: Props) {
  const { t } = useTranslation()
  const { settings, snippet } = instructionsOf(template, { ...facts, publicUrl: location.origin })
  const { product, key, docs, proof } = template
  return (
    <section className="instructions">
      <h2>{t('template.instructions', { product })}</h2>
      <p>{t(`application-template.${key}`)}</p>
      {settings.length > 0 && (
        <dl className="template-settings">
          {settings.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{value}</code>
                <CopyButton text={value} label={name} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {snippet && <Code title={snippet.file} text={snippet.text} />}
      <p className="muted">
        {proof ? t('template.proved', { library: proof }) : t('template.by-documents')}{' '}
        <a href={docs} target="_blank" rel="noreferrer">
          {t('template.docs', { product })}
        </a>
      </p>
    </section>
  )
}
