import { useTranslation } from 'react-i18next'
import type { HomePageSettings } from '#shared/contract/home-page.ts'
import { CategoryPicker } from '../../ui/CategoryPicker.tsx'

type Audiences = HomePageSettings['audiences']
type Props = {
  blocks: HomePageSettings['blocks']
  value: Audiences
  onChange: (value: Audiences) => void
}

/** The user categories that see each part of the home page; the applications are for everybody. */
export function BlockAudiences({ blocks, value, onChange }: Props) {
  const { t } = useTranslation()
  const chosen = Object.keys(value).length
  return (
    <details className="block-audiences" open={chosen > 0}>
      <summary>{t('audit-field.audiences')}</summary>
      <fieldset aria-label={t('audit-field.audiences')}>
        <p className="muted">{t('home-page-settings.audiences-hint')}</p>
        {blocks.map(
          (block) =>
            block !== 'categories' && (
              <CategoryPicker
                key={block}
                label={t(`home-page-settings.block.${block}`)}
                name={`changes.audiences.${block}`}
                placeholder={t('home-page-settings.everybody')}
                value={value[block] ?? []}
                onChange={(codes) => {
                  const { [block]: _, ...others } = value
                  onChange(codes.length === 0 ? others : { ...others, [block]: codes })
                }}
              />
            ),
        )}
      </fieldset>
    </details>
  )
}
