/** Printable ASCII (RFC 6749, A.2): what else a secret holds, clients encode in different ways, and no two of them alike. */
export const isClientSecret = (secret: string): boolean => /^[\x20-\x7e]+$/.test(secret)
