/** Ends a browser whose processes together grow beyond a bound: a hostile page must not take the machine's memory. */
import { readdir, readFile } from 'node:fs/promises'

const EVERY = 2_000
/** Looks after which all processes are looked at again, should a number have been given anew within one pause. */
const LOOKS = 60
const PAGE = 4096

/**
 * Resident bytes of all processes of the group; shared pages count for each, so it is an upper bound. Processes that stand in
 * `others` are not looked at; those of other groups are added, and those that have ended are taken out. So a look costs as much as
 * there are processes of the group and new ones, not as the whole machine has.
 */
export const groupMemory = async (group: number, others = new Set<string>()): Promise<number> => {
  const running = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  for (const ended of others.difference(new Set(running))) others.delete(ended)
  let bytes = 0
  for (const name of running) {
    if (others.has(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => null) // It has ended meanwhile.
    // The name in parentheses may hold anything; the fields after it are state, parent, group, …
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
    if (Number(fields[2]) === group) bytes += Number(fields[21]) * PAGE
    else others.add(name)
  }
  return bytes
}

/** Calls `exceeded` once, with the bytes, when the group is larger than the bound. Returns what ends the watch. */
export const watchMemory = (group: number, most: number, exceeded: (bytes: number) => void): (() => void) => {
  let busy = false
  let looks = 0
  const others = new Set<string>()
  const timer = setInterval(async () => {
    if (busy) return
    busy = true
    looks += 1
    if (looks % LOOKS === 0) others.clear()
    const bytes = await groupMemory(group, others).catch(() => 0) // Not Linux: Chromium's own bounds have to do.
    busy = false
    if (bytes <= most) return
    clearInterval(timer)
    exceeded(bytes)
  }, EVERY)
  timer.unref()
  return () => clearInterval(timer)
}
