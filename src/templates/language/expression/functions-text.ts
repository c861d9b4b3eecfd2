/** Functions over texts. */
import { bytesOfText, lowerBytes, textOfBytes } from '../bytes.ts'
import { compileRegex } from '../regex/regex.ts'
import { itemsOf, on, onText, onTexts, texts } from './define.ts'
import type { DslFunction } from './functions.ts'
import { DslError, numberOf, textOf, type Value } from './value.ts'

const LARGEST = 16 * 1024 * 1024

export const TEXT: Readonly<Record<string, DslFunction>> = {
  len: on(1, 1, ([value = '']) => (Array.isArray(value) ? value.length : textOf(value).length)),
  to_upper: onText((text) => bytesOfText(textOfBytes(text).toUpperCase())),
  to_lower: onText(lowerBytes),
  to_title: onText((text) => text.replace(/(^|[^\w])([a-z])/g, (_, before, letter) => before + letter.toUpperCase())),
  contains: on(2, 2, ([whole = '', part = '']) =>
    Array.isArray(whole) ? whole.some((item) => textOf(item) === textOf(part)) : textOf(whole).includes(textOf(part)),
  ),
  contains_all: on(2, 1_000, ([whole = '', ...parts]) => texts(parts).every((part) => textOf(whole).includes(part))),
  contains_any: on(2, 1_000, ([whole = '', ...parts]) => texts(parts).some((part) => textOf(whole).includes(part))),
  starts_with: on(2, 1_000, ([whole = '', ...parts]) => texts(parts).some((part) => textOf(whole).startsWith(part))),
  ends_with: on(2, 1_000, ([whole = '', ...parts]) => texts(parts).some((part) => textOf(whole).endsWith(part))),
  line_starts_with: on(2, 1_000, ([whole = '', ...parts]) =>
    linesOf(whole).some((line) => texts(parts).some((part) => line.startsWith(part))),
  ),
  line_ends_with: on(2, 1_000, ([whole = '', ...parts]) =>
    linesOf(whole).some((line) => texts(parts).some((part) => line.endsWith(part))),
  ),
  equals_any: on(2, 1_000, ([whole = '', ...parts]) => texts(parts).includes(textOf(whole))),
  concat: on(1, 1_000, (args) => args.map(textOf).join('')),
  join: on(2, 1_000, ([separator = '', ...items]) => itemsOf(items).map(textOf).join(textOf(separator))),
  split: on(2, 3, ([text = '', separator = '', limit]) => splitBy(textOf(text), textOf(separator), limit)),
  repeat: on(2, 2, ([text = '', count = 0]) => repeated(textOf(text), numberOf(count, 'the count of repeat'))),
  replace: onTexts(3, (text = '', old = '', by = '') => text.replaceAll(old, () => by)),
  replace_regex: onTexts(3, (text = '', pattern = '', by = '') =>
    compileRegex(textOfBytes(pattern)).replaceAll(text, by),
  ),
  regex: onTexts(2, (pattern = '', text = '') => compileRegex(textOfBytes(pattern)).test(text)),
  regex_all: onTexts(2, (pattern = '', text = '') => compileRegex(textOfBytes(pattern)).test(text)),
  regex_any: onTexts(2, (pattern = '', text = '') => compileRegex(textOfBytes(pattern)).test(text)),
  reverse: onText((text) => bytesOfText([...textOfBytes(text)].toReversed().join(''))),
  remove_bad_chars: onTexts(2, (text = '', bad = '') => [...text].filter((char) => !bad.includes(char)).join('')),
  trim: onTexts(2, (text = '', set = '') => trimmed(text, set, true, true)),
  trim_left: onTexts(2, (text = '', set = '') => trimmed(text, set, true, false)),
  trim_right: onTexts(2, (text = '', set = '') => trimmed(text, set, false, true)),
  trim_space: onText((text) => text.trim()),
  trim_prefix: onTexts(2, (text = '', prefix = '') => (text.startsWith(prefix) ? text.slice(prefix.length) : text)),
  trim_suffix: onTexts(2, (text = '', suffix = '') =>
    suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text,
  ),
  index: on(2, 2, ([of = '', at = 0]) => itemAt(of, numberOf(at, 'the index'))),
  substr: on(2, 3, ([text = '', from = 0, to]) =>
    textOf(text).slice(numberOf(from, 'the start'), to === undefined ? undefined : numberOf(to, 'the end')),
  ),
  padding: on(3, 4, ([text = '', fill = '', length = 0, side = '']) =>
    padded(textOf(text), textOf(fill), numberOf(length, 'the length of padding'), textOf(side)),
  ),
  uniq: on(1, 1_000, (args) => unique(args)),
  sort: on(1, 1_000, (args) => sorted(args)),
  to_string: onText((text) => text),
  to_number: on(1, 1, ([value = '']) => numberOf(value, 'the argument of to_number')),
  print_debug: on(0, 1_000, () => true),
}

const linesOf = (value: Value): readonly string[] => textOf(value).split('\n')

const splitBy = (text: string, separator: string, limit: Value | undefined): Value => {
  const pieces = text.split(separator)
  if (limit === undefined) return pieces
  const count = numberOf(limit, 'the limit of split')
  if (count < 0 || pieces.length <= count) return pieces
  return count === 0 ? [] : [...pieces.slice(0, count - 1), pieces.slice(count - 1).join(separator)]
}

const repeated = (text: string, count: number): string => {
  if (count < 0 || text.length * count > LARGEST) throw new DslError('repeat would exceed 16 MiB')
  return text.repeat(count)
}

const trimmed = (text: string, set: string, left: boolean, right: boolean): string => {
  let from = 0
  let to = text.length
  while (left && from < to && set.includes(text[from] ?? '')) from += 1
  while (right && to > from && set.includes(text[to - 1] ?? '')) to -= 1
  return text.slice(from, to)
}

const itemAt = (of: Value, at: number): Value => {
  const items: readonly Value[] = Array.isArray(of) ? of : [...textOf(of)]
  const item = items[at < 0 ? items.length + at : at]
  if (item === undefined) throw new DslError(`there is no item ${at}`)
  return item
}

const padded = (text: string, fill: string, length: number, side: string): string => {
  if (length > LARGEST) throw new DslError('padding would exceed 16 MiB')
  if (fill === '') throw new DslError('padding needs something to fill with')
  return side === 'prefix' ? text.padStart(length, fill) : text.padEnd(length, fill)
}

/** A text is its characters, a list its items. */
const unique = (args: readonly Value[]): Value => {
  const [first = ''] = args
  if (args.length === 1 && typeof first !== 'object') return [...new Set(textOf(first))].join('')
  return [...new Set(itemsOf(args).map(textOf))]
}

const sorted = (args: readonly Value[]): Value => {
  const [first = ''] = args
  if (args.length === 1 && typeof first !== 'object') return [...textOf(first)].sort().join('')
  return itemsOf(args).map(textOf).sort()
}
