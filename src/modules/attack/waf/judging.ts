/** What counts as blocked. */
import type { Category, Sample } from './facts.ts'

const ALIKE = 0.7

/** Every probe of the kind was answered otherwise than every control, in the same way. */
export const differs = (samples: readonly Sample[], category: Category): boolean => {
  const of = (kind: Sample['kind']) => samples.filter((one) => one.kind === kind && one.category === category)
  const [probes, controls] = [of('probe'), of('control')]
  const [control] = controls
  // No answer to what is harmless: the network, not a firewall.
  if (probes.length === 0 || !control || controls.some(({ status }) => status === null)) return false
  if (controls.some((one) => one.status !== control.status || one.location !== control.location)) return false
  if (new Set(probes.map(({ status }) => status)).size > 1) return false
  return probes.every((probe) => isOther(probe, control))
}

const isOther = (probe: Sample, control: Sample): boolean => {
  if (probe.status !== control.status || probe.location !== control.location) return true
  // The same status, another page: told by the words, since the page may echo the value.
  return control.likeness - probe.likeness > 1 - ALIKE
}

/** Three probes and three controls stand behind it. */
export const isProven = (samples: readonly Sample[], category: Category): boolean =>
  samples.filter((one) => one.kind === 'probe' && one.category === category).length >= 3 && differs(samples, category)

export const CATEGORIES: Readonly<Record<Category, string>> = {
  xss: 'scripts',
  sqli: 'SQL',
  'path-traversal': 'paths',
  command: 'commands',
  xxe: 'XML entities',
}

/** An application that fails at a value has not blocked it. */
export const isRefusal = ({ status }: Sample): boolean =>
  status === null || (status !== 500 && status !== 502 && status !== 404)
