import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { APPLICATION_TEMPLATES } from '#shared/rules/application-templates/list.ts'
import type { ApplicationTemplate } from '#shared/rules/application-templates/template.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import './template-gallery.css'

const NEW = '/manage/application-manage/new'

type Product = { name: string; key: string; protocols: ReturnType<typeof spokenBy>[] }

/** The gallery's name for the protocol of a template. */
const spokenBy = ({ protocol, isPlainOAuth }: ApplicationTemplate) =>
  protocol === 'cas' ? 'cas' : isPlainOAuth ? 'oauth2' : 'oidc'

/** Each product once, with all its protocols. */
const PRODUCTS: readonly Product[] = [...Map.groupBy(APPLICATION_TEMPLATES, ({ product }) => product)].map(
  ([name, ways]) => ({ name, key: ways[0]?.key ?? '', protocols: ways.map(spokenBy) }),
)

/** Products with known settings; any other is set up manually. */
export function TemplateGallery() {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const found = PRODUCTS.filter(({ name }) => name.toLowerCase().includes(wanted))
  return (
    <section className="card guide">
      <PageTitle>{t('application-guide.title')}</PageTitle>
      <p className="muted">{t('template-gallery.text')}</p>
      <input
        type="search"
        className="input"
        aria-label={t('template-gallery.search')}
        placeholder={t('template-gallery.search')}
        value={search}
        maxLength={100}
        onChange={(event) => setSearch(event.target.value)}
      />
      <ul className="gallery-list">
        {found.map(({ name, key, protocols }) => (
          <li key={name}>
            <Link to={NEW} search={{ template: key } as never} className="gallery-tile">
              <TemplateMark product={name} />
              <strong>{name}</strong>
              <span className="gallery-protocols">
                {protocols.map((protocol) => (
                  <span key={protocol} className="tag">
                    {t(`template-protocol.${protocol}`)}
                  </span>
                ))}
              </span>
            </Link>
          </li>
        ))}
        <li>
          <Link to={NEW} search={{ template: 'other' } as never} className="gallery-tile">
            <TemplateMark product="+" />
            <strong>{t('template-gallery.other')}</strong>
            <span className="muted">{t('template-gallery.other-text')}</span>
          </Link>
        </li>
      </ul>
      {found.length === 0 && (
        <p className="muted" role="status">
          {t('template-gallery.none')}
        </p>
      )}
    </section>
  )
}

/** Two letters in one colour: we may not show the products' logos. */
export function TemplateMark({ product }: { product: string }) {
  return (
    <span className="template-mark" aria-hidden="true">
      {product.slice(0, 2)}
    </span>
  )
}
