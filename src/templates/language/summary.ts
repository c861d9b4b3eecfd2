/** What becomes of a catalogue's templates, protocol by protocol: parsed, refused, held back, free to run. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Catalogue } from './catalogue.ts'
import { heldBy, type Policy } from './select.ts'
import type { Template } from './template.ts'

export interface ProtocolSummary {
  /** Of the first block of a file; `workflow` for those that name other templates, `none` where no block is known. */
  readonly protocol: string
  readonly files: number
  readonly broken: number
  readonly refused: readonly { readonly reason: string; readonly templates: number }[]
  /** By the first tier that the policy does not allow. */
  readonly heldBack: readonly { readonly tier: string; readonly templates: number }[]
  readonly allowed: number
}

const BLOCK = /^(http|requests|dns|ssl|tcp|network|websocket|headless|javascript|workflows|code|file|whois):/m
const NAMES: Readonly<Record<string, string>> = { requests: 'http', network: 'tcp', workflows: 'workflow' }

export const protocolOf = ({ steps, workflow }: Template): string =>
  workflow === null ? (steps[0]?.protocol ?? 'none') : 'workflow'

/** By the text, for what did not become a template. */
export const protocolOfFile = (folder: string, file: string): string => {
  const block = BLOCK.exec(readFileSync(join(folder, file), 'utf8'))?.[1]
  return block === undefined ? 'none' : (NAMES[block] ?? block)
}

/** The largest first. Reads the files of what was refused or is broken. */
export const summarise = (catalogue: Catalogue, policy: Policy): readonly ProtocolSummary[] => {
  const counts = new Map<string, Counts>()
  const of = (protocol: string): Counts => {
    const known = counts.get(protocol) ?? { files: 0, broken: 0, allowed: 0, refused: new Map(), heldBack: new Map() }
    counts.set(protocol, known)
    known.files += 1
    return known
  }
  for (const template of catalogue.templates) {
    const known = of(protocolOf(template))
    const tier = heldBy(template, policy)
    if (tier === null) known.allowed += 1
    else count(known.heldBack, tier)
  }
  for (const { file, refusal } of catalogue.refused) {
    count(of(protocolOfFile(catalogue.folder, file)).refused, refusal.reason.replace(/ \(\w+\)$/, ''))
  }
  for (const { file } of catalogue.broken) of(protocolOfFile(catalogue.folder, file)).broken += 1
  return [...counts]
    .map(([protocol, { refused, heldBack, ...sums }]) => ({
      protocol,
      ...sums,
      refused: sorted(refused).map(([reason, templates]) => ({ reason, templates })),
      heldBack: sorted(heldBack).map(([tier, templates]) => ({ tier, templates })),
    }))
    .toSorted((a, b) => b.files - a.files)
}

interface Counts {
  files: number
  broken: number
  allowed: number
  readonly refused: Map<string, number>
  readonly heldBack: Map<string, number>
}

const count = (into: Map<string, number>, key: string): void => {
  into.set(key, (into.get(key) ?? 0) + 1)
}
const sorted = (counts: ReadonlyMap<string, number>) => [...counts].toSorted(([, a], [, b]) => b - a)
