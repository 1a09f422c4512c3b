import { FILE_TABLE, openFile } from '../csv-file/index.ts'
import { type OpenSource, SourceFault, type SourceSettings } from '../data-source.types.ts'
import { readRemoteFile } from './remote-file.service.ts'
import { openSftpSession } from './sftp-session.service.ts'

export { isHostKey } from './host-key.rules.ts'
export { isPattern, splitPath } from './remote-file.service.ts'
export { isPrivateKey } from './sftp-session.service.ts'

/** Reads a csv or xlsx file from an SFTP server, once, so everything is one snapshot. @throws SourceFault; Refusal `sheet.*`. */
export async function openSftp(settings: SourceSettings): Promise<OpenSource> {
  const session = await openSftpSession(settings)
  let file: Promise<OpenSource> | undefined
  const open = () => (file ??= readRemoteFile(session, settings.options).then((bytes) => openFile(bytes, false)))
  const known = (table: string) => {
    if (table !== FILE_TABLE && table !== '') throw new SourceFault('no-table', table)
    return open()
  }
  return {
    server: session.server,
    isEncrypted: true,
    tables: async () => (await open()).tables(1),
    columns: async (table) => (await known(table)).columns(FILE_TABLE),
    // Nothing is attempted that could leave a trace.
    mayWrite: async () => null,
    count: async (table) => (await known(table)).count(FILE_TABLE),
    repeated: async (table, column) => (await known(table)).repeated(FILE_TABLE, column),
    async *read(table, columns, most) {
      yield* (await known(table)).read(FILE_TABLE, columns, most)
    },
    close: session.close,
  }
}
