import type { Socket } from 'node:net'
import type { Client, ServerHostKeyAlgorithm, SFTPWrapper } from 'ssh2'
import { SourceFault, type SourceProblem, type SourceSettings } from '../data-source.types.ts'
import { openSourceSocket } from '../source-socket.service.ts'
import { describeHostKey, hostKeyAlgorithms } from './host-key.rules.ts'

const DEFAULT_PORT = 22
/** For everything together, as a multiple of the other side's timeout. */
const WHOLE_FACTOR = 10

/** Status codes of SFTP. */
const PROBLEMS: Readonly<Record<number, SourceProblem>> = { 2: 'no-remote-file', 3: 'no-rights' }

type Callback<T> = (error: Error | null | undefined, value: T) => void

export type SftpSession = {
  server: string
  /** One request and its answer. @throws SourceFault. */
  ask<T>(send: (sftp: SFTPWrapper, callback: Callback<T>) => void): Promise<T>
  close(): Promise<void>
}

type Opened = {
  client: Client
  socket: Socket
  settings: SourceSettings
  /** The key that the server presented. */
  shown: string
}

/**
 * Connects to a server that presents the pinned key, and logs in; no secret is sent to any other one.
 * @throws SourceFault `host-key-unknown`, `host-key-changed` with the key that it presents, and others.
 */
export async function openSftpSession(given: SourceSettings): Promise<SftpSession> {
  const settings = { ...given, port: given.port || DEFAULT_PORT }
  const socket = await openSourceSocket(settings)
  // Loaded on demand: most installations read no SFTP.
  const { Client: SshClient } = (await import('ssh2')).default
  const opened: Opened = { client: new SshClient(), socket, settings, shown: '' }
  const { client } = opened
  const sessionTimer = setTimeout(
    () => socket.destroy(Object.assign(new Error('it takes too long'), { code: 'ETIMEDOUT' })),
    settings.timeoutSeconds * WHOLE_FACTOR * 1000,
  )
  const close = async () => {
    clearTimeout(sessionTimer)
    client.end()
    socket.destroy()
  }
  const lost = new Promise<never>((_, reject) => {
    client.on('error', reject).on('close', () => reject(new SourceFault('cut-off')))
  })
  // Whoever waits for an answer at that moment gets the error.
  lost.catch(() => {})
  const waitFor = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await Promise.race([answer, lost])
    } catch (error) {
      throw toFault(error, opened)
    }
  }
  try {
    await waitFor(logIn(opened))
    const sftp = await waitFor(asPromise<SFTPWrapper>((callback) => client.sftp(callback)))
    return {
      server: versionOf(client),
      ask: (send) => waitFor(asPromise((callback) => send(sftp, callback))),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const asPromise = <T>(send: (callback: Callback<T>) => void): Promise<T> =>
  new Promise((resolve, reject) => send((error, value) => (error ? reject(error) : resolve(value))))

/** The server's identification string, which the driver's types lack. */
const versionOf = (client: Client): string =>
  `SFTP ${((client as { _remoteVer?: string })._remoteVer ?? '').replace(/[^\x21-\x7e]/g, '').slice(0, 100)}`.trim()

function logIn(opened: Opened): Promise<void> {
  const { client, socket, settings } = opened
  const { user, password, timeoutSeconds, options } = settings
  return new Promise((resolve) => {
    client
      .on('ready', resolve)
      // For servers that ask by PAM; other prompts than the password stay unanswered.
      .on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) =>
        finish(prompts.map(({ echo }) => (echo ? '' : password))),
      )
      .connect({
        sock: socket,
        username: user,
        ...(options.sftpAuth === 'key' ? { privateKey: password } : { password, tryKeyboard: true }),
        readyTimeout: timeoutSeconds * 1000,
        algorithms: { serverHostKey: hostKeyAlgorithms(options.hostKey) as ServerHostKeyAlgorithm[] },
        hostVerifier(key: Buffer) {
          opened.shown = describeHostKey(key)
          return opened.shown === options.hostKey
        },
      })
  })
}

function toFault(error: unknown, { socket, settings, shown }: Opened): SourceFault {
  const { hostKey } = settings.options
  if (shown !== '' && shown !== hostKey)
    return new SourceFault(hostKey === '' ? 'host-key-unknown' : 'host-key-changed', shown)
  if (error instanceof SourceFault && !socket.errored) return error
  const found = (socket.errored ?? error) as Failure
  return new SourceFault(problemOf(found), found.message)
}

/** As reported by the driver. */
type Failure = { code?: string | number; level?: string; message: string }

function problemOf({ code, level, message }: Failure): SourceProblem {
  if (code === 'ETIMEDOUT' || level === 'client-timeout') return 'timeout'
  if (level === 'client-authentication') return 'login-refused'
  // It no longer has a key of the pinned kind.
  if (level === 'handshake' && /host key/i.test(message)) return 'host-key-changed'
  // No other common algorithm, or no SSH at all.
  if (level === 'handshake' || level === 'protocol') return 'failed'
  return typeof code === 'number' ? (PROBLEMS[code] ?? 'failed') : 'cut-off'
}

/** Can it be used for authentication? Keys with a passphrase can't be used by a program. */
export async function isPrivateKey(text: string): Promise<boolean> {
  const { utils } = (await import('ssh2')).default
  const parsed = utils.parseKey(text)
  const key = Array.isArray(parsed) ? parsed[0] : parsed
  return !(key instanceof Error) && key?.isPrivateKey() === true
}
