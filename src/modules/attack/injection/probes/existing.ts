/**
 * A page that shows nothing of a file, and is another one where the file is there: names of the kernel's own files outside of the folder, and names beside
 * them that are none (CWE-22, CWE-204).
 */
import { randomInt } from 'node:crypto'
import type { Probe } from '../../insertion-points/prober.ts'
import type { SiteFiles } from '../site-files.ts'
import type { Way } from './answers.ts'
import { speaksOfFiles, takesPaths } from './files.ts'

/** Files that every Linux has (proc(5)), and everybody may read. */
const THERE: readonly string[] = [
  'cpuinfo',
  'devices',
  'filesystems',
  'loadavg',
  'meminfo',
  'mounts',
  'stat',
  'uptime',
  'version',
]
const UP = '../'.repeat(12)
/**
 * Of its own process everybody may open these for writing, too: for programs that open what they are told to write to. Nothing makes, empties or deletes
 * them; what is written there is what a dump of the process holds, how late its timers may be, and from when its memory is counted, at most.
 */
const WRITABLE: readonly string[] = ['coredump_filter', 'timerslack_ns', 'clear_refs']
/** Those refuse what is no number. This one takes any text, and counts how its process was scheduled from then on: for programs that write what they have. */
const TAKING: readonly string[] = ['self/sched', 'thread-self/sched', 'self/./sched']

type Named = readonly [flavour: string, names: readonly string[], path: (name: string) => string]

const TO_READ: readonly Named[] = [
  ['a name that is there, /../', THERE, (name) => `/${UP}proc/${name}`],
  ['a name that is there, path from the root', THERE, (name) => `/proc/${name}`],
]
const TO_WRITE: readonly Named[] = [
  ['a name that may be written, /../', WRITABLE, (name) => `/${UP}proc/self/${name}`],
  ['a name that may be written, path from the root', WRITABLE, (name) => `/proc/self/${name}`],
  ['a name that takes any text, /../', TAKING, (name) => `/${UP}proc/${name}`],
  ['a name that takes any text, path from the root', TAKING, (name) => `/proc/${name}`],
]

/**
 * None where its words tell that it keeps what it is sent, and none of what is not known to read: such a page makes files. `changes`: a made-up name is answered
 * otherwise. Where it is not, names are looked up nowhere; a program that opens files to write takes any, but one in a folder in which nothing is made.
 */
export const existingWays = (probe: Probe, changes: boolean, site?: SiteFiles): readonly Way[] => {
  const { point, request } = probe
  const files = point.place !== 'file' && point.place !== 'file-name' && !point.members
  if (!files || request.effect !== 'reads' || !takesPaths(probe) || !speaksOfFiles(probe, site)) return []
  return (changes ? TO_READ : TO_WRITE).map(([flavour, names, path]) => ({
    kind: 'traversal',
    flavour,
    mode: 'narrows',
    ask: async (truth) => {
      const there = names[randomInt(names.length)] ?? 'version'
      // One sign of it is another: as long, and none of the kernel's.
      const name = truth ? there : `${there.slice(0, -1)}q`
      return { question: path(name), reply: await probe.send(path(name)) }
    },
    malformed: () => probe.send(path(`${names[0]}/qz`)),
  }))
}
