/** Escapes text for HTML. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)

/** Instead of a QR code and a phone: links to choose a person. It fits a frame of 300 × 400. */
export function choicePage(
  title: string,
  problem: string | null,
  links: readonly { href: string; text: string }[],
): string {
  const items = links.map(({ href, text }) => `<a href="${escaped(href)}">${escaped(text)}</a>`).join('\n')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>
  body { margin: 0; padding: 8px 12px; font: 14px/1.5 system-ui, sans-serif; text-align: center; color: #1f2329; background: #fff }
  h1 { font-size: 16px; margin: 0 }
  p { margin: 4px 0 8px }
  a { display: block; margin: 4px auto; padding: 4px; max-width: 260px; border: 1px solid #c9cdd4; border-radius: 6px;
    color: inherit; text-decoration: none }
  a:hover { border-color: #1456f0 }
</style>
<h1>${escaped(title)}</h1>
${problem === null ? '<p>Simulated: choose who scans the code.</p>' : `<p role="alert">${escaped(problem)}</p>`}
${items}
</html>
`
}
