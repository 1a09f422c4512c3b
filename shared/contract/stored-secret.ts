/** Replaces a stored secret; sent back unchanged it keeps the stored one. */
export const SECRET_PLACEHOLDER = '******'
