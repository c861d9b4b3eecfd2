/** Options, and readers of their values, that several commands share. */
import { InvalidArgumentError } from 'commander'
import type { z } from 'zod'
import { jsonText } from '../screen.ts'

export const JSON_FLAG = ['--json', 'print JSON'] as const
export const ENVIRONMENT_HELP =
  'production: an active run sends nothing that stores or changes; test: it may write, within bounds'

/** What a command says that has taken something away, by its id. */
export const removedText = (id: string, json: boolean | undefined): string =>
  json ? jsonText({ removed: id }) : 'Removed.\n'

/** One of a fixed list. */
export const oneOf =
  <T extends string>(values: readonly T[]) =>
  (text: string): T => {
    const value = values.find((each) => each === text)
    if (value === undefined) throw new InvalidArgumentError(`It is one of ${values.join(', ')}.`)
    return value
  }

export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It is a whole number from ${min} to ${max}.`)
    }
    return value
  }

/** What an option says to take a value away. Commander makes an empty text of null, so it stays a word until it is sent. */
export const NONE = 'none'
export const orNone =
  <T>(read: (text: string) => T) =>
  (text: string): T | typeof NONE =>
    text === NONE ? NONE : read(text)
export const nullIfNone = <T>(value: T | typeof NONE): T | null => (value === NONE ? null : value)

export const matching =
  <T extends z.ZodType>(schema: T, what: string) =>
  (text: unknown): z.output<T> => {
    const parsed = schema.safeParse(text)
    if (!parsed.success) throw new InvalidArgumentError(what)
    return parsed.data
  }

/** What a person reads who gives another thing. */
export const someOf = (values: readonly string[]): string => `It is some of ${values.join(', ')}, with commas between.`
export const EXCLUDE_HINT = 'It has to begin with "/"; "*" and "**" are wildcards.'
export const START_PATH_HINT = 'It has to be a path of the domain that begins with "/", such as "/wiki/".'

/** An option that may stand several times. */
export const gathered = <T extends z.ZodType>(schema: T, what: string) => {
  const read = matching(schema, what)
  return (text: string, before: readonly z.output<T>[] = []): readonly z.output<T>[] => [...before, read(text)]
}

/** Days from now, as an RFC 3339 date-time. */
export const inDays = (text: string): string => {
  const days = wholeNumber(1, 3_650)(text)
  return new Date(Date.now() + days * 86_400_000).toISOString()
}

export const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  $ ${line}\n`).join('')}`
