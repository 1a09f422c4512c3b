/** The first that fits counts: most browsers name others besides themselves. */
const BROWSERS: readonly [RegExp, string][] = [
  [/MicroMessenger/, 'WeChat'],
  [/EdgA?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS/, 'Firefox'],
  [/Chrome\/|CriOS/, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const DEVICES: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/OpenHarmony|HarmonyOS/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** `Chrome · Windows`: what a passkey is called before its person says better. Empty when nothing is known. */
export const ownDeviceName = (userAgent: string = navigator.userAgent): string =>
  [BROWSERS, DEVICES].flatMap((known) => known.find(([sign]) => sign.test(userAgent))?.[1] ?? []).join(' · ')
