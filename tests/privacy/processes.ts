/** Every process that a test starts, however it hides: descendants are noted while they live, and counted when all is over. */
import { readdir, readFile } from 'node:fs/promises'

export interface ProcessWatch {
  /** Bytes of proportional memory of all descendants at once, at its highest; 0 where it was not asked for. */
  readonly peak: () => number
  readonly seen: () => number
  /** Command lines of those that are still alive after at most this many milliseconds. */
  readonly left: (milliseconds: number) => Promise<readonly string[]>
  readonly stop: () => void
}

interface Noted {
  readonly pid: number
  readonly started: string
}

const nameOf = ({ pid, started }: Noted): string => `${pid} ${started}`

/** Milliseconds between looks: processes of a browser live longer. */
const EVERY = 400

/** Descendants of this process that it has not yet; `memory`: their peak as well, which is dear to ask for. */
export const watchProcesses = ({ memory = false }: { readonly memory?: boolean } = {}): ProcessWatch => {
  const noted = new Map<string, Noted>()
  // Files before in this process may have left helpers that end with it.
  const before = descendants().then((family) => new Set(family.map(nameOf)))
  let peak = 0
  let looking = false
  const look = async (): Promise<void> => {
    if (looking) return
    looking = true
    const known = await before
    const family = (await descendants()).filter((one) => !known.has(nameOf(one)))
    for (const one of family) noted.set(nameOf(one), one)
    const sizes = memory ? await Promise.all(family.map(({ pid }) => memoryOf(pid))) : []
    peak = Math.max(
      peak,
      sizes.reduce((sum, size) => sum + size, 0),
    )
    looking = false
  }
  const timer = setInterval(() => void look(), EVERY)
  return {
    peak: () => peak,
    seen: () => noted.size,
    left: async (milliseconds) => {
      const deadline = Date.now() + milliseconds
      for (;;) {
        const alive = (await Promise.all([...noted.values()].map(nameIfAlive))).filter((name) => name !== null)
        if (alive.length === 0 || Date.now() > deadline) return alive
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },
    stop: () => clearInterval(timer),
  }
}

const readStat = async (
  pid: number | string,
): Promise<{ readonly parent: number; readonly state: string; readonly started: string } | null> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null) // Gone meanwhile.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields ? { state: fields[0] ?? '', parent: Number(fields[1]), started: fields[19] ?? '' } : null
}

const descendants = async (): Promise<readonly Noted[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const stats = new Map(await Promise.all(pids.map(async (pid) => [pid, await readStat(pid)] as const)))
  const found: Noted[] = []
  const known = new Set([process.pid])
  for (let grown = true; grown; ) {
    grown = false
    for (const [pid, stat] of stats) {
      if (stat === null || known.has(pid) || !known.has(stat.parent)) continue
      known.add(pid)
      found.push({ pid, started: stat.started })
      grown = true
    }
  }
  return found
}

/** A zombie is no process that does anything; its parent has not asked yet. */
const nameIfAlive = async ({ pid, started }: Noted): Promise<string | null> => {
  const stat = await readStat(pid)
  if (stat === null || stat.started !== started || stat.state === 'Z' || stat.state === 'X') return null
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return `${pid} ${command.replaceAll('\0', ' ').slice(0, 200)}`
}

const memoryOf = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
}
