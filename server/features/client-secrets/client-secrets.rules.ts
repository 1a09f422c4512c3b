/** Printable ASCII (RFC 6749, A.2): clients encode other characters in incompatible ways. */
export const isClientSecret = (secret: string): boolean => /^[\x20-\x7e]+$/.test(secret)
