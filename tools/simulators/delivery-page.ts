/**
 * `when-asked`: the address as a string, once the embedding page has said that it takes strings. `object`: at once, in
 * an object.
 */
export type Delivery = 'when-asked' | 'object'

const SCRIPTS: Record<Delivery, string> = {
  'when-asked': `addEventListener('message', (event) => {
    if (event.source === parent && event.data === 'ask_usePostMessage') parent.postMessage(back, '*')
  })`,
  object: `parent.postMessage({ success: true, redirectUrl: back }, '*')`,
}

/** A vendor's frame after confirmation on the phone: it posts to any origin, as the vendors do. */
export const deliveryPage = (title: string, delivery: Delivery, back: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${title}</title>
<p>Confirmed.</p>
<script>
  const back = ${JSON.stringify(back).replaceAll('<', '\\u003c')}
  ${SCRIPTS[delivery]}
</script>
</html>
`
