declare const __GATEHOUSE_VERSION__: string

/** Which version runs here, for whoever is asked to look into a problem. */
export function printConsoleBanner(): void {
  // biome-ignore lint/suspicious/noConsole: the banner is meant for the console.
  console.info(`%cGatehouse ${__GATEHOUSE_VERSION__}`, 'font-weight: bold')
}
