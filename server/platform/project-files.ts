// This module and the bundle that contains it (dist/server) are both two folders below the root.
const ROOT = new URL('../../', import.meta.url)

/** The URL of a file that ships with the program. @param path from the root of the project, as `shared/locales/en.json` */
export const projectFile = (path: string): URL => new URL(path, ROOT)
