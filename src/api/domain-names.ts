/** Names by the thousand: read in parts, so that other requests are answered in between. */
import { setImmediate } from 'node:timers/promises'
import { type DomainName, parseDomainName } from '../contract/domain-name.ts'
import { MAX_BAD_NAMES } from '../contract/domain-table.ts'
import { ProblemError } from '../contract/problem.ts'
import type { Services } from './services.ts'

/** Names read at a stretch: some milliseconds. */
const STRETCH = 1_000

/** Each in the form under which it is registered, or what is wrong with it. */
export const readNames = async (
  names: readonly string[],
  { hosts, allowTargetPorts }: Pick<Services, 'hosts' | 'allowTargetPorts'>,
): Promise<DomainName[]> => {
  const read: DomainName[] = []
  for (const name of names) {
    if (read.push(parseDomainName(name, { hosts, allowPorts: allowTargetPorts })) % STRETCH === 0) await setImmediate()
  }
  return read
}

/** Each name once, in its registered form. Throws validation_failed with the bad ones by their place in the list. */
export const distinctNames = async (
  names: readonly string[],
  services: Pick<Services, 'hosts' | 'allowTargetPorts'>,
): Promise<string[]> => {
  const read = await readNames(names, services)
  const bad = read.flatMap((name, n) => (name.ok ? [] : [{ path: `domains.${n}`, message: name.message }]))
  if (bad.length === 0) return [...new Set(read.flatMap((name) => (name.ok ? [name.domain] : [])))]
  const shown = bad.length > MAX_BAD_NAMES ? `, of which the first ${MAX_BAD_NAMES} are named` : ''
  throw new ProblemError('validation_failed', `${bad.length} of ${names.length} names cannot be registered${shown}.`, {
    errors: bad.slice(0, MAX_BAD_NAMES),
  })
}
