import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks a second in /proc; 100 on every Linux that Node runs on. */
const TICKS = 100

type Usage = { cpuMs: number; rssMb: number; pssMb: number }

function statOf(pid: number): { parent: number; ticks: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    // Fields 4 (ppid) and 14 to 17 (utime, stime and those of ended children) of proc(5), counted from field 3.
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0)
    return { parent: Number(fields[1]), ticks }
  } catch {
    return null
  }
}

/** A process and all its descendants: the server and its embedded database. */
export function processTree(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null
    if (stat) parents.set(Number(name), stat.parent)
  }
  const belongs = (candidate: number): boolean => {
    if (candidate === pid) return true
    const parent = parents.get(candidate)
    return parent !== undefined && parent > 1 && belongs(parent)
  }
  return [...parents.keys()].filter(belongs)
}

/** Resident memory in MB: unlike `usageOf`, cheap for the process it looks at, which waits while its pages are counted. */
export function residentMbOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+)/m)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

function memoryOf(pid: number, key: string): number {
  try {
    const line = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').match(new RegExp(`^${key}:\\s+(\\d+)`, 'm'))
    return Number(line?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** CPU time (user and system) since the start and memory of these processes together. */
export function usageOf(pids: number[]): Usage {
  const ticks = pids.reduce((sum, pid) => sum + (statOf(pid)?.ticks ?? 0), 0)
  const memory = (key: string) => pids.reduce((sum, pid) => sum + memoryOf(pid, key), 0)
  return { cpuMs: (ticks * 1000) / TICKS, rssMb: memory('Rss'), pssMb: memory('Pss') }
}
