import i18next from 'i18next'
import { notify } from './notices.ts'

/**
 * Copies a text and says so; an empty one gets a warning. Works on plain http too, where the clipboard API is missing.
 * @returns whether it was copied.
 */
export async function copyText(text: string): Promise<boolean> {
  if (text.trim() === '') {
    notify('caution', i18next.t('copy.empty'))
    return false
  }
  const copied = await (navigator.clipboard ? viaClipboard(text) : Promise.resolve(viaSelection(text)))
  notify(copied ? 'well' : 'danger', i18next.t(copied ? 'copy.success' : 'copy.failed'))
  return copied
}

async function viaClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return viaSelection(text)
  }
}

function viaSelection(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  field.setAttribute('aria-hidden', 'true')
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return copied
}
