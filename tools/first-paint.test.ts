import { expect, test } from 'vitest'
import { firstPaintStyles } from './first-paint.ts'

test('the page inlines only the style rules of its shell', () => {
  const sheet = [
    ':root{--ground:#fff;--danger:red;--font:system-ui, "a; b";--dp:max(1px, 1rem / 16)}',
    '@media (prefers-color-scheme:dark){:root:not([data-theme=light]){--ground:#000;--danger:pink}.tag{color:red}}',
    'html,button{background:var(--ground);font:calc(15 * var(--dp)) var(--font)}',
    '.bar:hover{color:red}:where(:root[data-narrow]) .bar{gap:0}.bar,.manage-bar{gap:calc(2 * var(--dp))}',
    '@keyframes glide{0%{opacity:0}to{opacity:1}}@keyframes spin{to{rotate:1turn}}.skeleton{animation:1s glide}',
  ].join('')
  expect(firstPaintStyles(sheet)).toBe(
    [
      ':root{--ground:#fff;--font:system-ui, "a; b";--dp:max(1px, 1rem / 16)}',
      '@media (prefers-color-scheme:dark){:root:not([data-theme=light]){--ground:#000;}}',
      'html{background:var(--ground);font:calc(15 * var(--dp)) var(--font)}',
      '.bar{gap:calc(2 * var(--dp))}',
      '@keyframes glide{0%{opacity:0}to{opacity:1}}.skeleton{animation:1s glide}',
    ].join(''),
  )
})

test('a truncated style sheet is refused', () => {
  expect(() => firstPaintStyles('.bar{gap:0')).toThrow('no end')
})
