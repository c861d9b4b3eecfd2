/** Forms as a browser submits them: which inputs belong to which, and the values that they hold untouched. */
import { furnitureOf } from './furniture.ts'
import type { Element, HtmlElement } from './html-tree.ts'
import { attribute, collapsed, labelOf, ofTag, plain, resolved, textOf } from './html-tree.ts'
import { asksByHtmx, createHtmx, type HtmxRequest } from './htmx.ts'
import { isOfPostback, isOfRecord, isStateField, type Postback, postbackIn, shapeOfPostback } from './postbacks.ts'

export interface HtmlInput {
  /** input, select, textarea or button. */
  readonly tag: string
  /** Lower case; '' where the tag has none. */
  readonly type: string
  readonly name: string
  /** As submitted untouched: of a select its chosen option, of a textarea its text. */
  readonly value: string
  /** Of a radio or checkbox. */
  readonly checked: boolean
  /** Values to choose from: options of a select, of the datalist that an input names. At most 300. */
  readonly options: readonly string[]
  readonly autocomplete: string | null
  /** Of what is pressed, as HtmlLink's: its text or value, too. '' for all other inputs. */
  readonly label: string
  readonly attributes: Readonly<Record<string, string>>
  /** Of a form that holds the whole page: by what is pressed in the block that it stands in, see `pressedBy`. Absent where nothing tells. */
  readonly near?: readonly string[]
  /** Outside any form: by what the block around it is known on other pages, see `furnitureOf`. Absent where nothing tells. */
  readonly furniture?: string
}

export interface HtmlForm extends HtmlElement {
  /** Resolved; the page's own address where `action` is absent or empty. Null when it is no address. */
  readonly action: string | null
  /** get, post or dialog. */
  readonly method: string
  readonly inputs: readonly HtmlInput[]
  /** Of one that is sent to its own page: by what the block around it is known on others, see `furnitureOf`. */
  readonly furniture?: string
  /** What scripts send of it where elements of the page are used, each once; absent where none do. */
  readonly postbacks?: readonly FormPostback[]
  /** What htmx sends beside its fields, of one that it sends. */
  readonly htmx?: HtmxRequest
}

/** An element that has a script send the form; `label` as HtmlLink's. */
export interface FormPostback extends HtmlElement {
  readonly label: string
  readonly sets: Postback['sets']
}

/** An element by which htmx asks, and no form; `label` as HtmlLink's. */
export interface HtmxElement extends HtmlElement {
  readonly label: string
  readonly htmx: HtmxRequest
}

const INPUTS = ['input', 'select', 'textarea', 'button']
const MAX_OPTIONS = 300

/**
 * All forms with their inputs, and the inputs that belong to none. `owners` are the forms that the parser has told for
 * inputs: in broken markup an input belongs to a form that it does not stand in (HTML, 4.10.17.3).
 */
export const formsOf = (
  elements: readonly Element[],
  owners: ReadonlyMap<Element, Element>,
  base: string,
  pageUrl: string,
): {
  readonly forms: readonly HtmlForm[]
  readonly looseInputs: readonly HtmlInput[]
  readonly asking: readonly HtmxElement[]
} => {
  const lists = new Map<string, Element>()
  for (const one of ofTag(elements, 'datalist')) lists.set(attribute(one, 'id') ?? '', one)
  const forms = new Map<Element, HtmlInput[]>()
  for (const form of ofTag(elements, 'form')) forms.set(form, [])
  const byId = new Map([...forms].toReversed().map(([form, inputs]) => [attribute(form, 'id') ?? '', inputs]))
  const loose: HtmlInput[] = []
  const all = new Map<Element, HtmlInput>()
  for (const element of ofTag(elements, ...INPUTS)) {
    const named = attribute(element, 'form')
    const owner = owners.get(element) ?? enclosing(element, forms)
    // It belongs to the form it names with `form=`, else to its own.
    const inputs = named !== null ? byId.get(named || '\0') : owner && forms.get(owner)
    const around = inputs === undefined && loose.length < MAX_AROUND ? furnitureOf(element) : null
    const input = { ...inputOf(element, lists), ...(around === null ? {} : { furniture: around }) }
    all.set(element, input)
    ;(inputs ?? loose).push(input)
  }
  const asks = elements.filter(asksByHtmx)
  const htmx = asks.length === 0 ? null : createHtmx(elements, { all, ofForms: forms })
  const ofHtmx = (one: Element) => (htmx !== null && asksByHtmx(one) ? { htmx: htmx(one) } : {})
  const postbacks = postbacksOf(elements, forms)
  tellNear(all, forms)
  return {
    forms: [...forms].map(([one, given]) => ({
      ...formOf(one, given, base, pageUrl),
      ...(postbacks.has(one) ? { postbacks: postbacks.get(one) } : {}),
      ...ofHtmx(one),
    })),
    looseInputs: loose,
    asking: asks
      .filter(({ tagName }) => tagName !== 'form')
      .slice(0, MAX_ASKING)
      .flatMap((one) => (htmx === null ? [] : [{ ...plain(one), label: labelOf(one), htmx: htmx(one) }])),
  }
}

/** Of one that stands in another the text is read twice. */
const MAX_ASKING = 200

/** Of a page with more, the first of each kind. */
const MAX_POSTBACKS = 40

/** By form what its elements have a script send of it. What sends it by itself is pressed as any other button. */
const postbacksOf = (
  elements: readonly Element[],
  forms: ReadonlyMap<Element, readonly HtmlInput[]>,
): ReadonlyMap<Element, readonly FormPostback[]> => {
  const found = new Map<Element, Map<string, FormPostback>>()
  const [stateful] = [...forms].find(([, inputs]) => keepsState(inputs)) ?? []
  for (const element of elements) {
    if (isPressed(element) || attribute(element, 'disabled') !== null) continue
    const call = postbackBy(element)
    if (call === null) continue
    const named = [...forms.keys()].find((one) => call.form !== null && attribute(one, 'id') === call.form)
    const form = named ?? enclosing(element, forms) ?? stateful
    if (form === undefined) continue
    // Of a list the texts are its options.
    const label = INPUTS.includes(element.tagName) ? '' : labelOf(element)
    const of = found.get(form) ?? new Map<string, FormPostback>()
    const shape = shapeOfPostback(call)
    if (of.has(shape) || of.size >= MAX_POSTBACKS) continue
    found.set(form, of.set(shape, { ...plain(element), label, sets: call.sets }))
  }
  return new Map([...found].map(([form, of]) => [form, [...of.values()]]))
}

/** It holds the whole page, with what stands around the content of all of them. */
const keepsState = (inputs: readonly HtmlInput[] = []): boolean =>
  inputs.some(({ name }) => isStateField(name) || isOfPostback(name))

/** What presses a button, or has a script send its form, by its name or by what it sets. */
export const pressedBy = ({ name, sets }: Pick<HtmlInput, 'name'> & { readonly sets?: Postback['sets'] }): string =>
  sets === undefined ? name : shapeOfPostback({ sets })

/** Of a page with more, the first; and how far around a field is looked. */
const MOST_PRESSED = 200
const NEAREST = 30

/** Which fields belong together in a form that holds the whole page: the nearest block with something to press tells what a field is for. */
const tellNear = (all: ReadonlyMap<Element, HtmlInput>, forms: ReadonlyMap<Element, HtmlInput[]>): void => {
  const stateful = [...forms].filter(([, inputs]) => keepsState(inputs))
  if (stateful.length === 0) return
  const elements = new Map([...all].map(([element, input]) => [input, element]))
  for (const [form, inputs] of stateful) {
    const blocks = blocksOf(form)
    for (const [at, input] of inputs.entries()) {
      const element = elements.get(input)
      const near =
        element === undefined || input.type === 'hidden' || isPressed(element) ? null : nearOf(element, form, blocks)
      if (near !== null) inputs[at] = { ...input, near }
    }
  }
}

const nearOf = (
  element: Element,
  form: Element,
  blocks: ReadonlyMap<Element, ReadonlySet<string>>,
): readonly string[] | null => {
  const own = postbackBy(element)
  if (own !== null) return [pressedBy({ name: '', sets: own.sets })]
  const found = ancestorsWithin(element, form).find((block) => blocks.has(block))
  return found === undefined ? null : [...(blocks.get(found) ?? [])]
}

/** Of each element within a form what is pressed in it; a row or a page of a table is no button for what stands beside it. */
const blocksOf = (form: Element): ReadonlyMap<Element, ReadonlySet<string>> => {
  const blocks = new Map<Element, Set<string>>()
  const stack: Element[] = [form]
  let pressed = 0
  for (let element = stack.pop(); element && pressed < MOST_PRESSED; element = stack.pop()) {
    stack.push(...element.childNodes.filter((node) => 'tagName' in node))
    const call = isPressed(element) ? null : postbackBy(element)
    if (call === null && !isPressed(element)) continue
    if (call !== null && (INPUTS.includes(element.tagName) || isOfRecord(call))) continue
    pressed += 1
    const by = call === null ? (attribute(element, 'name') ?? '') : pressedBy({ name: '', sets: call.sets })
    for (const block of ancestorsWithin(element, form)) blocks.set(block, (blocks.get(block) ?? new Set()).add(by))
  }
  return blocks
}

const ancestorsWithin = (element: Element, form: Element): readonly Element[] => {
  const found: Element[] = []
  for (let node = element.parentNode; node && node !== form && found.length < NEAREST; node = node.parentNode) {
    if (!('tagName' in node)) break
    found.push(node)
  }
  return found
}

const isPressed = (element: Element): boolean =>
  (element.tagName === 'input' && /^(?:submit|image)$/i.test(attribute(element, 'type') ?? '')) ||
  (element.tagName === 'button' && /^(?:|submit)$/i.test(attribute(element, 'type') ?? ''))

const postbackBy = (element: Element): Postback | null => {
  for (const { name, value } of element.attrs) {
    const isCode = /^on[a-z]/.test(name) || (name === 'href' && /^\s*javascript:/i.test(value))
    const call = isCode ? postbackIn(value, attribute(element, 'id') ?? '') : null
    if (call !== null) return call
  }
  return null
}

const enclosing = (element: Element, forms: ReadonlyMap<Element, unknown>): Element | undefined => {
  if (forms.size === 0) return undefined
  for (let node = element.parentNode; node && 'parentNode' in node; node = node.parentNode) {
    if (forms.has(node as Element)) return node as Element
  }
  return undefined
}

/** Inputs outside any form of which the block is looked at; a page with more sends none of them to itself. */
const MAX_AROUND = 12

const DEFAULT_TYPES: Readonly<Record<string, string>> = { input: 'text', button: 'submit' }
const PRESSED = ['submit', 'button', 'image', 'reset']

const inputOf = (element: Element, lists: ReadonlyMap<string, Element>): HtmlInput => {
  const type = (attribute(element, 'type') ?? DEFAULT_TYPES[element.tagName] ?? '').trim().toLowerCase()
  const list = element.tagName === 'select' ? element : lists.get(attribute(element, 'list') ?? '\0')
  const options = list ? optionsOf(list) : []
  return {
    tag: element.tagName,
    type,
    name: attribute(element, 'name') ?? '',
    value: submitted(element, options),
    checked: attribute(element, 'checked') !== null,
    options: [...new Set(options.map(({ value }) => value))].slice(0, MAX_OPTIONS),
    autocomplete: attribute(element, 'autocomplete'),
    label: PRESSED.includes(type) || element.tagName === 'button' ? labelOf(element) : '',
    attributes: plain(element).attributes,
  }
}

interface Option {
  readonly value: string
  readonly selected: boolean
}

/** Those that can be chosen. */
const optionsOf = (list: Element): readonly Option[] => {
  const options: Option[] = []
  const stack = [...list.childNodes].toReversed()
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!('tagName' in node) || attribute(node, 'disabled') !== null) continue
    if (node.tagName === 'option')
      options.push({
        value: attribute(node, 'value') ?? collapsed(textOf(node)),
        selected: attribute(node, 'selected') !== null,
      })
    else stack.push(...node.childNodes.toReversed())
  }
  return options
}

const submitted = (element: Element, options: readonly Option[]): string => {
  if (element.tagName === 'textarea') return textOf(element)
  if (element.tagName !== 'select') return attribute(element, 'value') ?? ''
  // Of several selected ones the last holds; without any the first is shown, unless several may be chosen.
  const chosen = options.findLast(({ selected }) => selected)
  return chosen?.value ?? (attribute(element, 'multiple') === null ? (options[0]?.value ?? '') : '')
}

const formOf = (element: Element, inputs: readonly HtmlInput[], base: string, pageUrl: string): HtmlForm => {
  const action = attribute(element, 'action')?.trim() ?? ''
  const target = action === '' ? pageUrl : resolved(action, base)
  const furniture = target !== null && isSamePath(target, pageUrl) ? furnitureOf(element) : null
  return {
    ...plain(element),
    action: target,
    method: methodOf(attribute(element, 'method')),
    inputs,
    ...(furniture === null ? {} : { furniture }),
  }
}

/** Whatever their queries say. */
export const isSamePath = (one: string, other: string): boolean => one.split(/[?#]/)[0] === other.split(/[?#]/)[0]

/** get, post or dialog; get for what is none of them. */
export const methodOf = (given: string | null): string => {
  const method = (given ?? '').trim().toLowerCase()
  return ['post', 'dialog'].includes(method) ? method : 'get'
}
