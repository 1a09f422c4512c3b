/** `when-asked`: the address as a text, once the page around has said that it takes texts. `object`: at once, in an object. */
export type Delivery = 'when-asked' | 'object'

const SCRIPTS: Record<Delivery, string> = {
  'when-asked': `addEventListener('message', (event) => {
    if (event.source === parent && event.data === 'ask_usePostMessage') parent.postMessage(back, '*')
  })`,
  object: `parent.postMessage({ success: true, redirectUrl: back }, '*')`,
}

/** What a vendor's frame shows after somebody has confirmed on the phone: it posts to everybody, as the vendors' own do. */
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
