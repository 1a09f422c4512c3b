import type { Plugin } from 'vite'

const MEASURE = '@rc-component/util/es/getScrollBarSize.js'

/**
 * antd measures the scroll bar with a style element that carries no nonce, which the content policy refuses with an error on
 * every table. We use none of what it measures for (antd's own sticky header and scroll lock).
 */
export const antdWithoutInlineStyles = (): Plugin => ({
  name: 'antd-without-inline-styles',
  enforce: 'pre',
  load: (id) =>
    id.replaceAll('\\', '/').endsWith(MEASURE)
      ? 'export default () => 0\nexport const getTargetScrollBarSize = () => ({ width: 0, height: 0 })'
      : null,
})
