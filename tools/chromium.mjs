import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const PLACES = [
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The path of Chromium: CHROMIUM_PATH, else on the PATH, else the usual locations. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named)
    return existsSync(named) ? { path: named } : { problem: `CHROMIUM_PATH names ${named}, where there is no file` }
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  const candidates = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...PLACES]
  return { path: candidates.find((place) => existsSync(place)) }
}

const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

/** Installs Chromium with the system's package manager if that works without a prompt. */
export async function installChromium(run) {
  const isRoot = process.getuid?.() === 0
  if (!isRoot && (!has('sudo') || spawnSync('sudo', ['-n', 'true']).status !== 0)) return
  const asRoot = (title, ...command) => run(title, ...(isRoot ? split(command) : ['sudo', ['-n', ...command]]))
  if (has('apt-get')) {
    await asRoot('Updating the package lists', 'apt-get', 'update', '-q')
    await asRoot(
      'Installing Chromium for the browser tests',
      'apt-get',
      'install',
      '-qy',
      '--no-install-recommends',
      'chromium',
    )
  } else if (has('dnf')) {
    await asRoot('Installing Chromium for the browser tests', 'dnf', 'install', '-qy', 'chromium')
  } else if (has('apk')) {
    await asRoot('Installing Chromium for the browser tests', 'apk', 'add', '--quiet', 'chromium')
  }
}

const split = ([program, ...args]) => [program, args]
