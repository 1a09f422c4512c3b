import drawing from './picture.svg?raw'

/** The drawn gate, in the server's HTML only: hydration leaves it alone, so that no script contains it. */
export const pictureMarkup: string = import.meta.env.SSR ? drawing : ''
