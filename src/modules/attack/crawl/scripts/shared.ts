/**
 * Texts and settings that files of a site have from each other: `import {environment} from './chunk.js'; http.get(environment.api + '/items')`.
 * A build cuts them off into files of their own, and whoever imports them may be read first.
 */
import type { Sent } from './sent.ts'
import { isPlainData, mapped, memberOf, unknown, type Value } from './value.ts'

const MOST_SHARED = 2_000
/** Requests that wait for another file, and files from which a name may come by way of others. */
const MOST_LATE = 500
const DEEPEST = 4
/** Of one request. */
const MOST_PARTS = 800

/** `name` of what another file has. */
export const memberOfShared = (ref: string, name: string): Value => {
  if (ref.endsWith('#*')) return { kind: 'import', ref: `${ref.slice(0, -1)}${name}` }
  return { ...unknown(name), of: { ref, path: [name] } }
}

const fileOf = (ref: string): string => ref.slice(0, ref.lastIndexOf('#'))

export class Shared {
  readonly #values = new Map<string, Value>()
  readonly #files = new Set<string>()
  #late: Sent[] = []

  /** The file was read: what it does not show by now it does not have. */
  read(file: string): void {
    this.#files.add(file)
  }

  /** What other files reach by `ref`; that which is no plain data is not kept. */
  show(ref: string, value: Value): void {
    this.#files.add(fileOf(ref))
    if (this.#values.size >= MOST_SHARED || this.#values.has(ref)) return
    if (value.kind === 'import' || isPlainData(value)) this.#values.set(ref, value)
  }

  /** Those of which all is known that other files can tell; the others wait. */
  told(sent: readonly Sent[]): readonly Sent[] {
    const all = [...this.#late, ...sent].map((one) => this.#filled(one))
    const waiting = new Set(all.filter((one) => this.#waits(one)).slice(0, MOST_LATE))
    this.#late = [...waiting]
    return all.filter((one) => !waiting.has(one))
  }

  /** Those that still wait, when no file is left to be read. */
  rest(): readonly Sent[] {
    const late = this.#late
    this.#late = []
    return late
  }

  /** With what other files hold in place of the names that it has from them. */
  filled(value: Value): Value {
    return this.#fill(value, { left: MOST_PARTS })
  }

  #filled(sent: Sent): Sent {
    const budget = { left: MOST_PARTS }
    const fill = (value: Value | null): Value | null => (value === null ? null : this.#fill(value, budget))
    return {
      ...sent,
      address: this.#fill(sent.address, budget),
      ...{ base: fill(sent.base), query: fill(sent.query), body: fill(sent.body), headers: fill(sent.headers) },
    }
  }

  #fill(value: Value, budget: { left: number }): Value {
    budget.left -= 1
    if (budget.left <= 0) return value
    const shared = this.#sharedOf(value)
    return shared ?? mapped(value, (one) => this.#fill(one, budget))
  }

  /** What a name of another file stands for; null where that is not known, or where it is none of another file. */
  #sharedOf(value: Value): Value | null {
    const of = ofAnother(value)
    if (of === null) return null
    let found = this.#values.get(of.ref)
    for (let depth = 0; found?.kind === 'import' && depth < DEEPEST; depth += 1) found = this.#values.get(found.ref)
    const part = found && of.path.reduce(memberOf, found)
    return part !== undefined && isPlainData(part) ? part : null
  }

  /** Its address begins with what a file has that was not read. */
  #waits({ address, base }: Sent): boolean {
    const options = [address, base].flatMap((value) =>
      value?.kind === 'choice' ? value.of : value === null ? [] : [value],
    )
    return options.some((one) => {
      const first = one.kind === 'text' ? one.pieces[0] : one
      const of = typeof first === 'object' ? ofAnother(first) : null
      return of !== null && !this.#isRead(of.ref)
    })
  }

  #isRead(ref: string): boolean {
    const found = this.#values.get(ref)
    return this.#files.has(fileOf(ref)) && (found?.kind !== 'import' || this.#files.has(fileOf(found.ref)))
  }
}

/** The file that a value comes from, and the way to it; null where it comes from none, or from what every script of a page reaches. */
const ofAnother = (value: Value): { readonly ref: string; readonly path: readonly string[] } | null => {
  const of = value.kind === 'import' ? { ref: value.ref, path: [] } : value.kind === 'unknown' ? value.of : undefined
  return of === undefined || of.ref.startsWith('*#') || of.ref.endsWith('#*') ? null : of
}
