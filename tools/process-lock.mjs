import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const ME = `${process.pid} ${hostname()}`
const BEAT_MS = 1000
/** A holder that has written nothing for so long is gone: from another machine, or its number is somebody else's by now. */
const LOST_MS = 15_000

/**
 * Does the work of a checkout while no other process does: two starts at once would install and build into the same folders.
 * @param {string} file names who is at work; a read-only checkout works without
 * @param {() => void} onWait is told once that somebody else is
 * @param {() => Promise<void>} work
 */
export async function withProcessLock(file, onWait, work) {
  const isLocked = await acquire(file, onWait)
  const beat = setInterval(() => isLocked && writeFileSync(file, ME), BEAT_MS)
  try {
    await work()
  } finally {
    clearInterval(beat)
    if (isLocked) rmSync(file, { force: true })
  }
}

/** @returns {Promise<boolean>} whether the lock could be written */
async function acquire(file, onWait) {
  for (let seen = null; ; await pause(200)) {
    const outcome = attempt(() => {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, ME, { flag: 'wx' })
    })
    if (outcome !== 'EEXIST') return outcome === 'done'
    const mtime = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (seen === null) onWait()
    // By its changes, not by its age: clocks of file servers differ.
    if (mtime !== seen?.mtime) seen = { mtime, at: performance.now() }
    const isLost = !isAlive(file) || performance.now() - seen.at > LOST_MS
    if (isLost && attempt(() => rmSync(file, { force: true })) !== 'done') return false
  }
}

/** @returns why a file couldn't be written: it is there already, or the checkout is read-only */
function attempt(write) {
  try {
    write()
    return 'done'
  } catch (error) {
    if (/^(EEXIST|EROFS|EACCES|EPERM)$/.test(error.code)) return error.code
    throw error
  }
}

function isAlive(file) {
  try {
    const holder = readFileSync(file, 'utf8')
    const [pid, host] = holder.split(' ')
    // Just created and not written yet, or somewhere else.
    if (host !== hostname()) return true
    if (holder === ME) return false
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    // It runs, as somebody else; or the file went as it was read.
    return error.code === 'EPERM' || error.code === 'ENOENT'
  }
}
