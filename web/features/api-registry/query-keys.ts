/** First part of the query keys of what an application may call: whatever changes a grant invalidates it. */
export const GRANTED_KEY = 'granted-interfaces'
