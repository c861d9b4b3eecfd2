/** What htmx sends with a request that an element asks for (https://htmx.org/docs/#parameters, https://htmx.org/reference/). */
import type { HtmlInput } from './html-forms.ts'
import { attribute, type Element } from './html-tree.ts'
import { jsonOf } from './json.ts'
import { ancestorsOf, apartAt, testOf } from './selectors.ts'

export interface HtmxRequest {
  /** Values that go with it beside those of a form that it is itself: its own, those of the form around it, those that it includes. */
  readonly sends: readonly HtmlInput[]
  /** What `hx-vals` says, without what a script works out. */
  readonly values: Pairs
  /** What `hx-headers` says. */
  readonly headers: Pairs
  /** The nearest `hx-confirm`, `hx-encoding`, `hx-ext`, `hx-params`, on itself or around it. */
  readonly settings: Readonly<Record<string, string>>
}

type Pairs = readonly (readonly [name: string, value: string])[]

/** How inputs of a page belong together. */
export interface Inputs {
  readonly all: ReadonlyMap<Element, HtmlInput>
  readonly ofForms: ReadonlyMap<Element, readonly HtmlInput[]>
}

const ASKS = /^(?:data-)?hx-(?:get|post|put|patch|delete)$/
const MOST_VALUES = 20
const MOST_INCLUDED = 60
const SETTINGS = ['hx-confirm', 'hx-encoding', 'hx-ext', 'hx-params']

export const asksByHtmx = ({ attrs }: Element): boolean => attrs.some(({ name }) => ASKS.test(name))

/** Of a page; `elements` in the order of the document. */
export const createHtmx =
  (elements: readonly Element[], inputs: Inputs) =>
  (element: Element): HtmxRequest => {
    const line = [element, ...ancestorsOf(element)]
    const settings = SETTINGS.flatMap((name) => {
      const value = nearest(line, name)?.value
      return value === undefined || value === 'unset' ? [] : [[name, value] as const]
    })
    const found = [...new Set([...around(element, inputs), ...included(line, elements, inputs)])].slice(
      0,
      MOST_INCLUDED,
    )
    const mayGo = namesOf(Object.fromEntries(settings)['hx-params'] ?? '*')
    return {
      sends: found.filter(({ name }) => mayGo(name)),
      values: pairsOf(line, 'hx-vals').filter(([name]) => mayGo(name)),
      headers: pairsOf(line, 'hx-headers'),
      settings: Object.fromEntries(settings),
    }
  }

/** Its own value, and where it does not only read those of the form around it. */
const around = (element: Element, { all, ofForms }: Inputs): readonly HtmlInput[] => {
  const own = all.get(element)
  const isPressed = own !== undefined && ['button', 'submit', 'image', 'reset'].includes(own.type)
  const reads = element.attrs.some(({ name }) => /^(?:data-)?hx-get$/.test(name))
  const form = element.tagName === 'form' || reads ? undefined : formOf(element, ofForms)
  const others = (form ?? []).filter((one) => !['button', 'submit', 'image', 'reset'].includes(one.type))
  const isSent = own !== undefined && (!isPressed || (own.type === 'submit' && form !== undefined && own.name !== ''))
  return [...others, ...(isSent ? [own] : [])]
}

const formOf = (element: Element, ofForms: Inputs['ofForms']): readonly HtmlInput[] | undefined => {
  const named = attribute(element, 'form')
  for (const [form, inputs] of named === null ? [] : ofForms) if (attribute(form, 'id') === named) return inputs
  const form = ancestorsOf(element).find(({ tagName }) => tagName === 'form')
  return form && ofForms.get(form)
}

/** What `hx-include` names, by its selectors and the words beside them. */
const included = (
  line: readonly Element[],
  elements: readonly Element[],
  { all, ofForms }: Inputs,
): readonly HtmlInput[] => {
  const [element] = line
  const told = nearest(line, 'hx-include')
  if (told === null || element === undefined) return []
  const chosen = apartAt(told.value, ',').flatMap((part) => {
    const [, word = '', rest = ''] = /^(?:global\s+)?(this$|closest\s|find\s|next\s|previous\s)?(.*)$/s.exec(part) ?? []
    if (word === 'this') return [told.on]
    const test = testOf(rest.trim())
    if (test === null) return []
    const at = elements.indexOf(element)
    if (word.startsWith('closest')) return line.filter(test).slice(0, 1)
    if (word.startsWith('find'))
      return elements.filter((one) => ancestorsOf(one).includes(element) && test(one)).slice(0, 1)
    if (word.startsWith('next'))
      return elements
        .slice(at + 1)
        .filter(test)
        .slice(0, 1)
    if (word.startsWith('previous')) return elements.slice(0, at).filter(test).slice(-1)
    return elements.filter(test)
  })
  return chosen.slice(0, MOST_INCLUDED).flatMap((one) => {
    const own = all.get(one)
    if (own !== undefined) return [own]
    return ofForms.get(one) ?? [...all].flatMap(([input, of]) => (ancestorsOf(input).includes(one) ? [of] : []))
  })
}

/** The nearest that has it, of those that hand it down. */
const nearest = (line: readonly Element[], name: string): { readonly on: Element; readonly value: string } | null => {
  for (const [index, on] of line.entries()) {
    const kept = (attribute(on, 'hx-disinherit') ?? '').split(/\s+/)
    if (index > 0 && (kept.includes('*') || kept.includes(name))) return null
    const value = attribute(on, name) ?? attribute(on, `data-${name}`)
    if (value !== null) return { on, value }
  }
  return null
}

/** Of JSON on all that hand it down, the nearer one of a name. */
const pairsOf = (line: readonly Element[], name: string): Pairs => {
  const pairs = new Map<string, string>()
  for (const [index, on] of line.entries()) {
    const kept = (attribute(on, 'hx-disinherit') ?? '').split(/\s+/)
    if (index > 0 && (kept.includes('*') || kept.includes(name))) break
    const text = (attribute(on, name) ?? attribute(on, `data-${name}`) ?? '').trim()
    const told = jsonOf(text.startsWith('"') ? `{${text}}` : text)
    if (typeof told !== 'object' || told === null || Array.isArray(told)) continue
    for (const [key, value] of Object.entries(told).slice(0, MOST_VALUES))
      if (['string', 'number', 'boolean'].includes(typeof value) && !pairs.has(key)) pairs.set(key, String(value))
  }
  return [...pairs]
}

/** `none`, `not a,b`, `a,b`, or all. */
const namesOf = (params: string): ((name: string) => boolean) => {
  if (params === '*') return () => true
  if (params === 'none') return () => false
  const names = params
    .replace(/^not\s/, '')
    .split(',')
    .map((name) => name.trim())
  return params.startsWith('not ') ? (name) => !names.includes(name) : (name) => names.includes(name)
}
