/** Prefix of the back office's query keys for announcements. */
export const ANNOUNCEMENTS_KEY = 'announcements'
