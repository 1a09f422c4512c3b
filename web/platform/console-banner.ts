declare const __GATEHOUSE_VERSION__: string

/** Prints the version, for people who look into a problem. */
export function printConsoleBanner(): void {
  // biome-ignore lint/suspicious/noConsole: the banner is meant for the console.
  console.info(`%cGatehouse ${__GATEHOUSE_VERSION__}`, 'font-weight: bold')
}
