import { useTranslation } from 'react-i18next'
import { adjustPair, type MeasuredPair, measurePairs } from '#shared/rules/contrast-pairs.ts'
import type { Palette, Scheme } from '#shared/rules/design-tokens.ts'
import type { ThemeDesign } from '#shared/rules/theme-design.ts'
import { Icon } from '../../ui/Icon.tsx'

type Props = { design: ThemeDesign; onChange: (design: ThemeDesign) => void }

const SCHEMES = ['light', 'dark'] as const

/** Every pair of colours drawn on each other, its contrast, and a fix. */
export function ContrastMeter({ design, onChange }: Props) {
  const { t } = useTranslation()
  const weak = SCHEMES.flatMap((scheme) => measurePairs(design[scheme], scheme)).filter(({ passes }) => !passes)
  return (
    <div className="contrast-meter">
      <p role="status">{t(weak.length === 0 ? 'contrast.all-pass' : 'contrast.weak', { count: weak.length })}</p>
      {SCHEMES.map((scheme) => (
        <SchemePairs
          key={scheme}
          scheme={scheme}
          palette={design[scheme]}
          onChange={(palette) => onChange({ ...design, [scheme]: palette })}
        />
      ))}
    </div>
  )
}

type PairsProps = { scheme: Scheme; palette: Palette; onChange: (palette: Palette) => void }

function SchemePairs({ scheme, palette, onChange }: PairsProps) {
  const { t } = useTranslation()
  const pairs = measurePairs(palette, scheme)
  return (
    <section aria-label={t(`light.${scheme}`)}>
      <h2>{t(`light.${scheme}`)}</h2>
      <ul>
        {pairs.map((pair) => (
          <Pair key={`${pair.text} ${pair.on}`} pair={pair} palette={palette} scheme={scheme} onChange={onChange} />
        ))}
      </ul>
    </section>
  )
}

function Pair({ pair, palette, scheme, onChange }: PairsProps & { pair: MeasuredPair }) {
  const { t } = useTranslation()
  const { text, on, ratio, least, passes } = pair
  const name = t('contrast.pair', { text: t(`theme-colour.${text}`), on: t(`theme-colour.${on}`) })
  const mended = passes ? null : adjustPair(palette, scheme, pair)
  return (
    <li className={passes ? 'contrast-pair' : 'contrast-pair contrast-weak'}>
      {least === 3 ? (
        <span className="contrast-sample" aria-hidden="true" style={{ background: palette[on] }}>
          <span className="contrast-edge" style={{ borderColor: palette[text] }} />
        </span>
      ) : (
        <span className="contrast-sample" aria-hidden="true" style={{ background: palette[on], color: palette[text] }}>
          文 Aa
        </span>
      )}
      <span className="contrast-name">{name}</span>
      <span className="contrast-ratio">
        <Icon name={passes ? 'check' : 'warning'} />
        {t(passes ? 'contrast.ratio' : 'contrast.too-low', { ratio: Math.floor(ratio * 100) / 100, least })}
      </span>
      {mended && (
        <button
          type="button"
          className="button"
          aria-label={t('contrast.adjust-one', { name })}
          onClick={() => onChange(mended)}
        >
          {t('contrast.adjust')}
        </button>
      )}
    </li>
  )
}
