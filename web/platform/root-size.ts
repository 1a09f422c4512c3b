/** What the root size depends on; `window` has all of it. */
export type Viewport = { innerWidth: number; outerWidth: number; screenWidth: number; devicePixelRatio: number }

/** The zoom steps of Chromium, Firefox and Safari. */
const ZOOM_STEPS = [
  0.25, 0.3, 0.33, 0.5, 0.67, 0.75, 0.8, 0.85, 0.9, 1, 1.1, 1.15, 1.2, 1.25, 1.33, 1.5, 1.7, 1.75, 2, 2.4, 2.5, 3, 4, 5,
]
/** The frame of a window, in unzoomed pixels. */
const MAX_FRAME_WIDTH = 24

/**
 * Root font size in CSS pixels for a window of `width` unzoomed pixels: 16 at 1920, at least 12, at most 32, times the
 * factor of accessible reading.
 */
export const rootSize = (width: number, reading = 1): number =>
  Math.min(32, Math.max(12, (16 * width) / 1920)) * reading

/**
 * The browser's zoom factor, derived from the unzoomed outer width; where a browser zooms that too, from the screen, if
 * the window fills it. 1 when unknown: docked tools, a small window.
 */
export function initialZoom({ innerWidth, outerWidth, screenWidth, devicePixelRatio }: Viewport): number {
  const frame = (zoom: number) => outerWidth - innerWidth * zoom
  const fits = ZOOM_STEPS.filter((zoom) => frame(zoom) >= -2 * zoom && frame(zoom) <= MAX_FRAME_WIDTH)
  const byWindow = fits.sort((a, b) => Math.abs(frame(a)) - Math.abs(frame(b)))[0] ?? 1
  const fillsScreen = Math.abs(innerWidth * devicePixelRatio - screenWidth) <= MAX_FRAME_WIDTH
  return byWindow === 1 && fillsScreen ? devicePixelRatio : byWindow
}

/**
 * The zoom after a resize. Zooming multiplies the pixel ratio by what it divides the inner width by; moving the window
 * to another screen changes the ratio alone.
 */
export function zoomAfterResize(zoom: number, before: Viewport, after: Viewport): number {
  const factor = after.devicePixelRatio / before.devicePixelRatio
  if (factor === 1) return zoom
  const drift = Math.abs((after.innerWidth * factor) / before.innerWidth - 1)
  return drift < 0.03 ? zoom * factor : zoom
}

/** Breakpoints in `--dp`: the phone layout, and the collapsed menu of the back office. */
const NARROW = 700
const COMPACT = 900

/**
 * Keeps the root font size at the value for the unzoomed window, so that browser zoom really enlarges the text.
 * @param reading current factor of accessible reading; call the returned `apply` when it changes.
 */
export function trackRootSize(window: Window, reading: () => number = () => 1): { apply(): void; stop(): void } {
  const root = window.document.documentElement
  const readViewport = (): Viewport => ({
    innerWidth: window.innerWidth,
    outerWidth: window.outerWidth,
    screenWidth: window.screen.width,
    devicePixelRatio: window.devicePixelRatio,
  })
  let view = readViewport()
  let zoom = initialZoom(view)
  const apply = () => {
    const now = readViewport()
    zoom = zoomAfterResize(zoom, view, now)
    view = now
    const factor = reading()
    const size = rootSize(view.innerWidth * zoom, factor)
    root.style.fontSize = `${size}px`
    // Media queries can't see this size: a wide window with large text needs the narrow layout.
    const units = view.innerWidth / Math.max(factor, size / 16)
    root.toggleAttribute('data-narrow', units <= NARROW)
    root.toggleAttribute('data-compact', units <= COMPACT)
    root.style.setProperty('--reading', String(factor))
  }
  apply()
  window.addEventListener('resize', apply)
  return { apply, stop: () => window.removeEventListener('resize', apply) }
}

/** The design pixel (`--dp`) in CSS pixels, for APIs that take numbers. */
export function designPixel(): number {
  const style = getComputedStyle(document.documentElement)
  return Math.max(Number(style.getPropertyValue('--reading')) || 1, Number.parseFloat(style.fontSize) / 16)
}
