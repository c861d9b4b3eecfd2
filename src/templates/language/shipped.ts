/**
 * Templates that the product ships in `catalogue/` and a module asks by rules of its own: the template says what is asked for
 * and what proves it, the module where and how often. A process reads them as `npm run generate` has compiled them.
 */
import { readFileSync } from 'node:fs'
import { textOfBytes } from './bytes.ts'
import type { Value } from './expression/value.ts'
import { interpolate } from './interpolate.ts'
import { createText } from './match/text.ts'
import { judgeAnswer } from './match/verdict.ts'
import type { HttpStep, Operators } from './template.ts'

/** One folder a module that has templates of its own, named by the module. */
export const SHIPPED = new URL('../../../catalogue/', import.meta.url)
/** Within it. */
export const COMPILED = 'compiled.json'

/** Folders that are compiled. Those of the module `templates` are read as every catalogue is. */
export const SHIPPED_FOLDERS = ['exposure', 'services'] as const
export type ShippedFolder = (typeof SHIPPED_FOLDERS)[number]

export interface ShippedTemplate {
  readonly id: string
  readonly name: string
  readonly description: string
  /** `info.metadata`, which is the module's own. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Requests over HTTP, in the order of the file. */
  readonly steps: readonly HttpStep[]
}

export type Shipped = Readonly<Record<ShippedFolder, readonly ShippedTemplate[]>>

/** The templates of one folder, in the order of their ids. */
export const shippedTemplates = (folder: ShippedFolder): readonly ShippedTemplate[] =>
  (JSON.parse(readFileSync(new URL(COMPILED, SHIPPED), 'utf8')) as Shipped)[folder]

/** A text of a template with its markers filled. @throws Error where a name in it has no value */
export const filledWith = (text: string, values: Readonly<Record<string, string>>): string => {
  const filled = interpolate(text, (name) => (Object.hasOwn(values, name) ? values[name] : undefined))
  if (filled.unresolved.length > 0) throw new Error(`nothing gives a value to ${filled.unresolved.join(', ')}`)
  return filled.text
}

/**
 * What in the answer proves the finding: the first hit of the first matcher that looks for texts, '' where none does; null where
 * the matchers do not hold. `parts` are what matchers may name; texts of them are byte strings.
 */
export const proofIn = (operators: Operators, parts: Readonly<Record<string, Value>>): string | null => {
  const get = (name: string): Value | undefined => (Object.hasOwn(parts, name) ? parts[name] : undefined)
  const text = (part: string) => {
    const value = get(part)
    return value === undefined ? undefined : createText(String(value))
  }
  const { matched, signs } = judgeAnswer(operators, { get, text }, get)
  const shown = signs.find(({ type, negative }) => !negative && (type === 'word' || type === 'regex'))
  return matched ? textOfBytes(shown?.values[0] ?? '') : null
}
