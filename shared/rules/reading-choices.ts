/** The options of accessible reading; the first of each is the default. */
export const READING = {
  size: [100, 120, 140, 160, 180, 200],
  mouse: ['normal', 'black', 'white', 'yellow'],
  guide: ['none', 'cross', 'line'],
  contrast: ['none', 'black-on-white', 'white-on-black', 'yellow-on-black', 'yellow-on-blue'],
  speed: [75, 100, 125, 150],
} as const

export type ReadingChoices = {
  /** The toolbar is open. */
  open: boolean
  /** Percent. */
  size: (typeof READING.size)[number]
  mouse: (typeof READING.mouse)[number]
  guide: (typeof READING.guide)[number]
  contrast: (typeof READING.contrast)[number]
  aloud: boolean
  /** Percent of the voice's normal speed. */
  speed: (typeof READING.speed)[number]
  caption: boolean
}

export const READING_DEFAULTS: ReadingChoices = {
  open: false,
  size: 100,
  mouse: 'normal',
  guide: 'none',
  contrast: 'none',
  aloud: false,
  speed: 100,
  caption: false,
}

export type ReadingScheme = Exclude<ReadingChoices['contrast'], 'none'>

/**
 * For a cookie, which the server reads too, so that a page is right from its first byte:
 * `1.140.black.line.none.1.100.0`.
 */
export const formatReading = (c: ReadingChoices): string =>
  [c.open, c.size, c.mouse, c.guide, c.contrast, c.aloud, c.speed, c.caption]
    .map((value) => (typeof value === 'boolean' ? Number(value) : value))
    .join('.')

/** Null if absent or invalid. */
export function parseReading(text: string | undefined): ReadingChoices | null {
  const parts = (text ?? '').split('.')
  const [open, size, mouse, guide, contrast, aloud, speed, caption] = parts
  const one = <T extends string | number>(options: readonly T[], part: string | undefined): T | undefined =>
    options.find((option) => String(option) === part)
  const flag = (part: string | undefined) => ({ 0: false, 1: true })[part ?? '']
  const found = {
    open: flag(open),
    size: one(READING.size, size),
    mouse: one(READING.mouse, mouse),
    guide: one(READING.guide, guide),
    contrast: one(READING.contrast, contrast),
    aloud: flag(aloud),
    speed: one(READING.speed, speed),
    caption: flag(caption),
  }
  const isWhole = parts.length === 8 && Object.values(found).every((value) => value !== undefined)
  return isWhole ? (found as ReadingChoices) : null
}

/** The attributes of the document that style sheets use. */
export function readingMarks(choices: ReadingChoices | null): Record<'size' | 'contrast' | 'mouse', string | null> {
  const { size, contrast, mouse } = choices ?? READING_DEFAULTS
  return {
    size: size === 100 ? null : String(size),
    contrast: contrast === 'none' ? null : contrast,
    mouse: mouse === 'normal' ? null : mouse,
  }
}
