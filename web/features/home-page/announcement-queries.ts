/** First part of the keys of everything that the back office knows of announcements. */
export const ANNOUNCEMENTS_KEY = 'announcements'
