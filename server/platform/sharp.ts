let loaded: Promise<typeof import('sharp').default> | null = null

/**
 * The library that draws and repaints pictures, in the one state that its whole process has. Loaded at the first picture: neither
 * a start nor an idle process should pay for it.
 */
export function loadSharp(): Promise<typeof import('sharp').default> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    // Logins hash on the same threads.
    sharp.concurrency(1)
    // Hardly a picture comes twice: a cache of them would only hold memory.
    sharp.cache(false)
    // A picture is read by these readers or by none, whatever else the library could open (PDF, TIFF …). Ours are drawn as SVG;
    // whoever hands on somebody else's has to look at how it begins.
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
