import { useTranslation } from 'react-i18next'
import type { Category } from './app-sections.ts'

type Props = {
  categories: readonly Category[]
  total: number
  chosen: string | null
  onChoose: (categoryId: string | null) => void
}

export function CategoryChips({ categories, total, chosen, onChoose }: Props) {
  const { t } = useTranslation()
  if (categories.length < 2) return null
  return (
    <fieldset className="chips">
      <legend className="visually-hidden">{t('my-apps.categories')}</legend>
      <button type="button" className="chip" aria-pressed={chosen === null} onClick={() => onChoose(null)}>
        {t('my-apps.all')} <span className="tabular">{total}</span>
      </button>
      {categories.map(({ id, name }) => (
        <button key={id} type="button" className="chip" aria-pressed={chosen === id} onClick={() => onChoose(id)}>
          {name}
        </button>
      ))}
    </fieldset>
  )
}
