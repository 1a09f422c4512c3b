import { expect, test } from 'vitest'
import { isKept } from './last-picture.ts'

test.each([
  ['script'],
  ['iframe'],
  ['form'],
  ['style'],
  ['link'],
  ['object'],
  ['a', 'href', 'https://elsewhere.test/'],
  ['a', 'onclick', 'act()'],
  ['div', 'id', 'root'],
  ['img', 'src', 'https://elsewhere.test/pixel'],
  ['img', 'src', '//elsewhere.test/pixel'],
  ['img', 'srcset', '/pixel'],
  ['button', 'formaction', '/'],
  ['div', 'style', 'background: URL(https://elsewhere.test/pixel)'],
  ['div', 'style', 'background: u\\72l(https://elsewhere.test/pixel)'],
  ['div', 'style', 'background: -webkit-image-set("https://elsewhere.test/pixel" 1x)'],
])('%s %s %s is left out of what is shown again', (tag, attribute?: string, value?: string) => {
  expect(isKept(tag, attribute, value)).toBe(false)
})

test.each([
  ['div'],
  ['svg', 'viewBox', '0 0 24 24'],
  ['path', 'stroke-width', '1.8'],
  ['img', 'src', 'data:image/svg+xml,%3Csvg%3E'],
  ['img', 'src', '/auth_service/file/1'],
  ['header', 'data-crowded', ''],
  ['div', 'style', 'view-transition-name: app; --level: 2'],
])('%s %s is shown again', (tag, attribute?: string, value?: string) => {
  expect(isKept(tag, attribute, value)).toBe(true)
})
