import { ConfigProvider, type ThemeConfig, theme } from 'antd'
import enUS from 'antd/locale/en_US'
import zhCN from 'antd/locale/zh_CN'
import zhTW from 'antd/locale/zh_TW'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { FONTS, PALETTES, type Palette, type Scheme, SIZES } from '#shared/rules/design-tokens.ts'
import { READING_BASE, readingPalette } from '#shared/rules/reading-palettes.ts'
import { currentLanguage } from '../platform/i18n.ts'
import { onReading, useReading } from '../platform/reading.ts'
import { designPixel } from '../platform/root-size.ts'
import { useIsDark } from '../platform/theme.ts'
import './antd-patches.css'

const LOCALES = { en: enUS, zh_CN: zhCN, zh_TW: zhTW }

type Look = { scheme: Scheme; palette: Palette }

/** Our tokens in antd's words. antd's own palette misses WCAG AA in most places, so every colour that carries meaning is set. */
function themeOf({ scheme, palette }: Look, language: Language, pixel: number): ThemeConfig {
  const size = (value: number) => Math.round(value * pixel)
  return {
    algorithm: scheme === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
    cssVar: { key: 'gatehouse' },
    token: {
      colorPrimary: palette.primary,
      colorPrimaryHover: palette.primaryHover,
      colorTextLightSolid: palette.onPrimary,
      colorLink: palette.primary,
      colorLinkHover: palette.primaryHover,
      colorText: palette.ink,
      colorTextHeading: palette.ink,
      colorTextSecondary: palette.muted,
      colorTextTertiary: palette.muted,
      colorTextDescription: palette.muted,
      colorTextPlaceholder: palette.muted,
      colorIcon: palette.muted,
      colorBgBase: palette.card,
      colorBgContainer: palette.card,
      colorBgElevated: palette.card,
      colorBgLayout: palette.ground,
      colorBorder: palette.fieldBorder,
      colorBorderSecondary: palette.hairline,
      colorSplit: palette.hairline,
      colorError: palette.danger,
      colorSuccess: palette.well,
      colorWarning: palette.caution,
      controlItemBgActive: palette.tint,
      controlItemBgHover: palette.tint,
      fontFamily: FONTS[language],
      fontSize: size(SIZES.textManage),
      controlHeight: size(SIZES.controlManage),
      sizeUnit: size(4),
      sizeStep: size(4),
      borderRadius: size(SIZES.radiusControl),
      borderRadiusLG: size(SIZES.radiusCard),
      boxShadowSecondary: 'none',
      motionDurationMid: '0.15s',
      motionDurationSlow: '0.18s',
    },
    components: {
      Table: {
        headerBg: palette.ground,
        headerColor: palette.muted,
        headerSplitColor: 'transparent',
        // The arrow says which column sorts; another ground for its cells is a bar of light on the dark page.
        headerSortActiveBg: palette.ground,
        headerSortHoverBg: palette.tint,
        bodySortBg: palette.card,
        headerBorderRadius: 0,
        cellPaddingBlockMD: size(9),
        cellPaddingInlineMD: size(14),
        rowHoverBg: palette.ground,
        rowSelectedBg: palette.tint,
        rowSelectedHoverBg: palette.tint,
      },
    },
  }
}

/** `designPixel`, as it changes. */
function useDesignPixel(): number {
  const [pixel, setPixel] = useState(designPixel)
  useEffect(() => {
    const update = () => setPixel(designPixel())
    addEventListener('resize', update)
    const stop = onReading(update)
    return () => {
      removeEventListener('resize', update)
      stop()
    }
  }, [])
  return pixel
}

/** A reading scheme stands above light and dark. */
function useLook(): Look {
  const isDark = useIsDark()
  const contrast = useReading()?.contrast ?? 'none'
  if (contrast !== 'none') return { scheme: READING_BASE[contrast], palette: readingPalette(contrast) }
  const scheme = isDark ? 'dark' : 'light'
  return { scheme, palette: PALETTES[scheme] }
}

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''

/** Around every page that uses antd. Its styles carry the page's nonce: the content policy allows no others. */
export function AntdTheme({ children }: { children: ReactNode }) {
  useTranslation()
  const look = useLook()
  const pixel = useDesignPixel()
  const language = currentLanguage()
  return (
    <ConfigProvider theme={themeOf(look, language, pixel)} locale={LOCALES[language]} csp={{ nonce }}>
      {children}
    </ConfigProvider>
  )
}
