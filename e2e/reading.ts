import { type Browser, expect, type Page } from '@playwright/test'
import { fillIn, type School } from './fixtures.ts'

/** Texts with too little contrast, worst first. A picture behind a text is no flat colour. */
export const faintTexts = (page: Page, least: number): Promise<string[]> =>
  page.evaluate((wanted) => {
    type Colour = [number, number, number, number]
    const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    const read = (text: string): Colour => {
      if (!pen) return [0, 0, 0, 1]
      pen.clearRect(0, 0, 1, 1)
      pen.fillStyle = text
      pen.fillRect(0, 0, 1, 1)
      const [r = 0, g = 0, b = 0, a = 0] = pen.getImageData(0, 0, 1, 1).data
      return [r, g, b, a / 255]
    }
    const luminance = ([r, g, b]: Colour) => {
      const [x = 0, y = 0, z = 0] = [r, g, b].map((value) => {
        const part = value / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * x + 0.7152 * y + 0.0722 * z
    }
    const groundOf = (element: Element | null): Colour => {
      for (let at = element; at; at = at.parentElement) {
        const colour = read(getComputedStyle(at).backgroundColor)
        if (colour[3] === 1) return colour
      }
      return [255, 255, 255, 1]
    }
    const found: [number, string][] = []
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const text = [...element.childNodes].map((node) => (node.nodeType === 3 ? node.textContent?.trim() : '')).join('')
      const seen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      if (!text || !seen || element.clientWidth === 1 || element.closest('.reading-sample')) continue
      const colours = [luminance(read(getComputedStyle(element).color)), luminance(groundOf(element))]
      const [light = 0, dark = 0] = colours.sort((x, y) => y - x)
      const ratio = (light + 0.05) / (dark + 0.05)
      if (ratio < wanted) found.push([ratio, `${ratio.toFixed(1)} ${element.tagName}.${element.className} ${text}`])
    }
    return found.sort(([a], [b]) => a - b).map(([, line]) => line)
  }, least)

/** A browser whose voices are silent but report what they would say. @param voices languages; empty: none. */
export async function withVoices(page: Page, voices: string[]): Promise<void> {
  await page.addInitScript((languages) => {
    const said: object[] = []
    const speech = {
      getVoices: () => languages.map((lang) => ({ lang, name: lang })),
      speak: ({ text, lang, rate }: { text: string; lang: string; rate: number }) => said.push({ text, lang, rate }),
      cancel: () => said.push({ cancel: true }),
      pause: () => said.push({ pause: true }),
      resume: () => said.push({ resume: true }),
      addEventListener: () => {},
    }
    class Utterance {
      text: string
      lang = ''
      rate = 1
      voice = null
      constructor(text: string) {
        this.text = text
      }
    }
    Object.defineProperty(window, 'speechSynthesis', { value: speech })
    Object.defineProperty(window, 'SpeechSynthesisUtterance', { value: Utterance })
    Object.defineProperty(window, 'said', { value: said })
  }, voices)
}

export type Said = { text?: string; lang?: string; rate?: number; cancel?: true; pause?: true; resume?: true }

export const saidOn = (page: Page): Promise<Said[]> => page.evaluate(() => (window as unknown as { said: Said[] }).said)

export async function visit(browser: Browser, school: School, locale: string, width = 1366): Promise<Page> {
  const context = await browser.newContext({ locale, baseURL: school.url, viewport: { width, height: 768 } })
  const page = await context.newPage()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  return page
}

export async function logInAs(page: Page, account: string): Promise<void> {
  await page.goto('/auth_web/')
  await fillIn(page, account)
  await page.waitForURL('**/auth_web/my-apps')
  await expect(page.locator('header .avatar')).toBeVisible()
}

export async function ready(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.locator('h1').first()).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
}

export const entry = (page: Page) => page.locator('#reading-entry')
export const bar = (page: Page) => page.locator('#reading-bar')
export const tool = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true })

export async function openBar(page: Page): Promise<void> {
  if ((await entry(page).getAttribute('aria-expanded')) === 'false') await entry(page).click()
  await expect(bar(page)).toBeVisible()
}

export const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** The visible colour at a point of the window, whatever is on top. */
export async function colourAt(page: Page, x: number, y: number): Promise<number[]> {
  const picture = await page.screenshot({ clip: { x, y, width: 1, height: 1 } })
  return page.evaluate(
    async (address) => {
      const image = new Image()
      image.src = address
      await image.decode()
      const pen = document.createElement('canvas').getContext('2d')
      pen?.drawImage(image, 0, 0)
      return [...(pen?.getImageData(0, 0, 1, 1).data.slice(0, 3) ?? [])]
    },
    `data:image/png;base64,${picture.toString('base64')}`,
  )
}
