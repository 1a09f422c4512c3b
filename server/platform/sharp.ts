let loaded: Promise<typeof import('sharp').default> | null = null

/**
 * The image library, configured once for the whole process. Loaded at the first picture: neither a start nor an idle process should pay for
 * it.
 */
export function loadSharp(): Promise<typeof import('sharp').default> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    // Logins hash on the same threads.
    sharp.concurrency(1)
    // Hardly any picture comes twice: a cache would only waste memory.
    sharp.cache(false)
    // Only these loaders are allowed, whatever else the library could open (PDF, TIFF …). Ours include SVG; callers that pass an uploaded
    // picture must check its first bytes.
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: [
        'VipsForeignLoadPngBuffer',
        'VipsForeignLoadJpegBuffer',
        'VipsForeignLoadWebpBuffer',
        'VipsForeignLoadSvgBuffer',
      ],
    })
    return sharp
  })
  return loaded
}
