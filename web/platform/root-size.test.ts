import { expect, test } from 'vitest'
import { initialZoom, rootSize, type Viewport, zoomAfterResize } from './root-size.ts'

const view = (innerWidth: number, outerWidth: number, devicePixelRatio = 1, screenWidth = 5120): Viewport => ({
  innerWidth,
  outerWidth,
  screenWidth,
  devicePixelRatio,
})
const STEPS = [0.5, 0.67, 0.75, 0.8, 0.9, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5]
const WIDTHS = [1280, 1366, 1440, 1536, 1920, 2560, 3840]

test('the root is 16 px at 1920, never below 12 and never above 32', () => {
  expect([1920, 1440, 1200, 390, 2560, 3840, 7680].map((width) => rootSize(width))).toEqual([
    16,
    12,
    12,
    12,
    (16 * 2560) / 1920,
    32,
    32,
  ])
})

test('a page that is loaded zoomed gets the root size of the unzoomed window', () => {
  for (const width of WIDTHS) {
    for (const zoom of STEPS) {
      const loaded = view(Math.round(width / zoom), width)
      const size = rootSize(loaded.innerWidth * initialZoom(loaded))
      expect(Math.abs(size / rootSize(width) - 1), `${width} at ${zoom}`).toBeLessThan(0.01)
    }
  }
})

test('if the outer width is zoomed too, the zoom is still known for a window that fills its screen', () => {
  for (const width of WIDTHS) {
    for (const zoom of STEPS) {
      const inner = Math.round(width / zoom)
      expect(initialZoom(view(inner, inner, zoom, width)), `${width} at ${zoom}`).toBe(zoom)
    }
  }
})

test('a dense screen is no zoom', () => {
  expect(initialZoom(view(2560, 2560, 2, 2560))).toBe(1)
  expect(initialZoom(view(1512, 1512, 2, 1512))).toBe(1)
  expect(initialZoom(view(1000, 1000, 2, 2560))).toBe(1)
})

test('a window frame is no zoom, and docked tools are none either', () => {
  expect(initialZoom(view(1904, 1920))).toBe(1)
  expect(initialZoom(view(1174, 1920))).toBe(1)
  expect(initialZoom(view(390, 0))).toBe(1)
})

test('zooming an open page enlarges its text by the whole factor, at any window width', () => {
  for (const width of WIDTHS) {
    for (const step of STEPS) {
      const zoom = zoomAfterResize(1, view(width, width), view(Math.round(width / step), width, step))
      expect(Math.abs(zoom / step - 1), `${width} to ${step}`).toBeLessThan(0.01)
    }
  }
})

test('moving the window to a denser screen, or making it smaller, is no zoom', () => {
  expect(zoomAfterResize(1, view(1440, 1440, 1), view(1440, 1440, 2))).toBe(1)
  expect(zoomAfterResize(1.5, view(1280, 1920, 1.5), view(900, 1350, 1.5))).toBe(1.5)
})

test('accessible reading doubles the root at a factor of two', () => {
  expect(rootSize(2560, 2)).toBe(2 * rootSize(2560))
})
