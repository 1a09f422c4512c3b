import type { AddressInfo } from 'node:net'
import { posix } from 'node:path'
import ssh2, { type AuthContext, type Connection, type SFTPWrapper } from 'ssh2'

/** `mtime` in seconds. */
export type SftpFile = { bytes: Buffer; mtime: number }
/** `grows`: it is written to while it is read; `dies`: the connection ends in the middle of a file; `silent`: no file ever arrives. */
export type SftpMood = 'well' | 'grows' | 'dies' | 'silent'

const { Server, utils } = ssh2
const { STATUS_CODE } = utils.sftp

/**
 * A key pair as `ssh-keygen` generates it.
 *
 * ssh2 drops leading zero bytes of an Ed25519 key: one pair in 256 is malformed (mscdex/ssh2#1390) and is generated again.
 */
export function newSshKeys(kind: 'ed25519' | 'ecdsa' = 'ed25519'): ReturnType<typeof utils.generateKeyPairSync> {
  for (;;) {
    const pair =
      kind === 'ed25519' ? utils.generateKeyPairSync('ed25519') : utils.generateKeyPairSync('ecdsa', { bits: 256 })
    if (![pair.public, pair.private].some((key) => utils.parseKey(key) instanceof Error)) return pair
  }
}

/** An SFTP server within the test, with files in memory. */
export class SftpServer {
  port = 0
  mood: SftpMood = 'well'
  readonly user = 'reader'
  password = 'a-secret-of-sftp'
  /** Whoever has the private key can log in too. */
  readonly userKeys = newSshKeys()
  readonly files = new Map<string, SftpFile>()
  /** The authentication attempts. */
  readonly tried: string[] = []
  private server: InstanceType<typeof Server> | null = null
  private readonly connections = new Set<Connection>()

  /** Listens with these keys, on the same port as before. */
  async start(hostKeys = [newSshKeys().private]): Promise<void> {
    const server = new Server({ hostKeys }, (connection) => this.serve(connection))
    this.server = server
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    this.port = (server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    for (const connection of this.connections) connection.end()
    await new Promise((resolve) => this.server?.close(resolve))
  }

  /** Adds a file, by default written a day ago. */
  put(path: string, content: string | Buffer, mtime = Math.floor(Date.now() / 1000) - 86_400): void {
    this.files.set(path, { bytes: Buffer.from(content), mtime })
  }

  private serve(connection: Connection): void {
    this.connections.add(connection)
    connection
      .on('error', () => {})
      .on('close', () => this.connections.delete(connection))
      .on('authentication', (context) => this.let(context))
      .on('ready', () => {
        connection.on('session', (accept) => {
          accept().on('sftp', (open) => this.answer(open() as unknown as SFTPWrapper, connection))
        })
      })
  }

  private let(context: AuthContext): void {
    if (context.method !== 'none') this.tried.push(context.method)
    const isKnown = context.username === this.user && this.isProved(context)
    if (isKnown) context.accept()
    else context.reject(['password', 'publickey'])
  }

  private isProved(context: AuthContext): boolean {
    if (context.method === 'password') return context.password === this.password
    if (context.method !== 'publickey') return false
    const key = utils.parseKey(this.userKeys.public)
    if (key instanceof Error || Array.isArray(key) || !key.getPublicSSH().equals(context.key.data)) return false
    return !context.signature || key.verify(context.blob ?? Buffer.alloc(0), context.signature) === true
  }

  private attributes({ bytes, mtime }: SftpFile) {
    return { mode: 0o100644, uid: 0, gid: 0, size: bytes.length, atime: mtime, mtime }
  }

  private answer(sftp: SFTPWrapper, connection: Connection): void {
    const folders = new Map<string, boolean>()
    // The driver's types cover only the client's half.
    const on = (event: string, listener: (id: number, ...more: never[]) => void) =>
      (sftp as unknown as NodeJS.EventEmitter).on(event, listener as (...given: unknown[]) => void)
    const server = sftp as unknown as Record<
      'status' | 'handle' | 'data' | 'name' | 'attrs',
      (...given: unknown[]) => void
    >
    const stat = (id: number, path: string) => {
      const file = this.files.get(path)
      if (file) server.attrs(id, this.attributes(file))
      else server.status(id, STATUS_CODE.NO_SUCH_FILE)
    }
    on('STAT', stat)
    on('LSTAT', stat)
    on('OPEN', (id, path: string) => {
      if (!this.files.has(path)) return server.status(id, STATUS_CODE.NO_SUCH_FILE)
      server.handle(id, Buffer.from(path))
    })
    on('READ', (id, handle: Buffer, offset: number, length: number) => {
      if (this.mood === 'silent') return
      const path = handle.toString()
      const file = this.files.get(path)
      if (this.mood === 'dies' && offset > 0) return void connection.end()
      if (!file || offset >= file.bytes.length) return server.status(id, STATUS_CODE.EOF)
      server.data(id, file.bytes.subarray(offset, offset + Math.min(length, 32_000)))
      if (this.mood === 'grows' && offset === 0) this.put(path, Buffer.concat([file.bytes, Buffer.from('more\n')]))
    })
    on('OPENDIR', (id, path: string) => {
      folders.set(path, false)
      server.handle(id, Buffer.from(path))
    })
    on('READDIR', (id, handle: Buffer) => {
      const folder = handle.toString()
      const names = [...this.files].filter(([path]) => posix.dirname(path) === folder)
      if (folders.get(folder) || names.length === 0) return server.status(id, STATUS_CODE.EOF)
      folders.set(folder, true)
      server.name(
        id,
        names.map(([path, file]) => ({
          filename: posix.basename(path),
          longname: path,
          attrs: this.attributes(file),
        })),
      )
    })
    on('CLOSE', (id) => server.status(id, STATUS_CODE.OK))
  }
}
