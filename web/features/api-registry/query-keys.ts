/** First part of the query keys of an application's interfaces: every change of a grant invalidates it. */
export const GRANTED_KEY = 'granted-interfaces'
