import type { PreviewStep } from '#shared/rules/prompt-preview.ts'

const PAUSE_MS = 50

const pause = () => new Promise((done) => setTimeout(done, PAUSE_MS))

/** A generous limit, because CPU and network may be slow. */
const MAX_TRIES = 400

/** Waits for the element, at most twenty seconds. */
async function elementOf(selector: string, at = 0): Promise<HTMLElement | null> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const element = document.body.querySelectorAll<HTMLElement>(selector)[at]
    if (element) return element
    await pause()
  }
  return null
}

/** The frame may not submit forms, and a browser then doesn't fire the submit event for a pressed button. */
function pressOn(element: HTMLElement): void {
  const { form, type } = element as HTMLButtonElement
  if (form && type === 'submit')
    form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true, submitter: element }))
  else element.click()
}

async function play(step: PreviewStep): Promise<void> {
  if ('press' in step) {
    const element = await elementOf(step.press)
    // Let the screen process the input.
    await pause()
    return element ? pressOn(element) : undefined
  }
  const field = (await elementOf(step.fill, step.at)) as HTMLInputElement | null
  if (!field) return
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, step.value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Waits until there is a heading and no text has changed for a while; at most twenty seconds. */
async function isStill(): Promise<void> {
  let before = ''
  for (let same = 0, tries = 0; same < 3 && tries < MAX_TRIES; tries += 1) {
    await pause()
    const now = document.body.innerText
    const isLoading = document.querySelector('#shell, .skeleton') !== null || !document.querySelector('h1')
    same = now === before && !isLoading ? same + 1 : 0
    before = now
  }
}

/** Brings the screen to one of its states, as a person would. */
export async function playSteps(steps: readonly PreviewStep[]): Promise<void> {
  if (document.readyState !== 'complete') await new Promise((done) => addEventListener('load', done, { once: true }))
  if (steps.length > 0) await isStill()
  for (const step of steps) await play(step)
  await isStill()
}
