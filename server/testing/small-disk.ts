import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { testDataDir } from './embedded.ts'

type SmallDisk = {
  folder: string
  /** Fills the remaining space. */
  fill(): void
  /** Frees that space. */
  free(): void
}

const mounted = (folder: string, megabytes: number): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'tmpfs', folder]).status === 0

/** A file system for one test, in memory; null if this user may not mount one. */
export function smallDisk(megabytes: number): SmallDisk | null {
  const folder = testDataDir()
  if (process.getuid?.() !== 0 || !mounted(folder, megabytes)) return null
  onTestFinished(() => void spawnSync('umount', ['-l', folder]))
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a')
      // The last bytes too, so that not even a line fits.
      for (const size of [1024 * 1024, 4096, 1]) fillWith(file, Buffer.alloc(size))
      closeSync(file)
    },
    free: () => rmSync(ballast, { force: true }),
  }
}

function fillWith(file: number, piece: Buffer): void {
  try {
    for (;;) writeSync(file, piece)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
