/** The requests that a form can make: one for each button that sends it elsewhere, otherwise, or with a name of its own. */

import type { HtmlForm, HtmlInput, HtmlLink } from '../../../page/html.ts'
import { isSamePath, methodOf, pressedBy } from '../../../page/html-forms.ts'
import { ownName } from '../../../page/names.ts'
import { nameShape } from '../../../page/shape.ts'
import { buttonOf, effectOfForm, isReading } from '../../../safety/form-effect.ts'
import { CHOOSES_LANGUAGE } from '../../../safety/language.ts'
import { harmOfParameter } from '../../../safety/safety.ts'
import { NO_FILE } from '../../sample-files.ts'
import { isToken } from '../insertion-points/tokens.ts'
import type { Field } from './facts.ts'
import { sentByHtmx, withHtmx } from './htmx-drafts.ts'
import type { Choice, Draft } from './requests.ts'
import { exampleFor } from './values.ts'

const MAX_BUTTONS = 12
const PRESSED: readonly string[] = ['submit', 'image', 'button', 'reset']

/**
 * The best one first. None for a dialog, and where the action is no address. `base`: what its page resolves addresses by; `links`: of its page,
 * which may name what a search finds.
 */
export const draftsOfForm = (
  form: HtmlForm,
  pageUrl: string,
  base = pageUrl,
  links: readonly HtmlLink[] = [],
): readonly Draft[] => {
  const best = buttonOf(form)
  const pressing = form.inputs.filter((one) => one !== best && isSubmit(one) && isOther(one))
  // Of a table each row has its own.
  const kinds = new Map(pressing.toReversed().map((one) => [`${nameShape(one.name)} ${one.label}`, one]))
  const others = pressing
    .filter((one) => nameShape(one.name) === one.name || kinds.get(`${nameShape(one.name)} ${one.label}`) === one)
    .slice(0, MAX_BUTTONS)
  const ofData = draftsOfData(form, best, pageUrl, base)
  if (best === null && isLeftToElements(form)) return ofData
  if (ofData.length > 0 && isOfLibrary(form))
    return isSentBesides(form) ? [...ofData, ...draftsBy(form, best, pageUrl, base)] : ofData
  const drafts = [
    ...[best, ...others].flatMap((button) => draftsBy(form, button, pageUrl, base)),
    ...draftsOfPostbacks(form, pageUrl, base),
  ]
  const searches = [...draftsFinding(form, drafts[0], links), ...draftsChoosing(form, drafts[0])]
  const unfilled = searches.length > 0 ? [] : draftsUnfilled(form, best, drafts[0])
  return [...drafts, ...ofData, ...searches, ...unfilled]
}

/** What scripts send of it: as if a button were pressed that has the fields they set. */
const draftsOfPostbacks = (form: HtmlForm, pageUrl: string, base: string): readonly Draft[] =>
  (form.postbacks ?? []).flatMap(({ sets, label, attributes }) => {
    const names = new Set(sets.map(([name]) => name))
    const others = form.inputs.filter(({ name }) => !names.has(name))
    const button = { ...NO_BUTTON, label, attributes: asking(attributes) }
    return draftsBy({ ...form, inputs: others }, button, pageUrl, base, pressedBy({ name: '', sets }))
      .filter(({ method }) => method === 'POST')
      .map((draft) => ({
        ...draft,
        fields: [...(draft.fields ?? []), ...sets.map(([name, value]) => ({ name, value, type: 'submit' }))],
      }))
  })

const NO_BUTTON: HtmlInput = {
  ...{ tag: 'button', type: 'submit', name: '', value: '', checked: false, options: [] },
  ...{ autocomplete: null, label: '', attributes: {} },
}

/** Whether it is meant may be asked wherever the code of the element stands. */
const asking = ({ onclick = '', onchange = '', href = '' }: HtmlInput['attributes']): HtmlInput['attributes'] => ({
  onclick: `${onclick};${onchange};${href}`,
})

const isSubmit = ({ type, attributes }: HtmlInput): boolean =>
  (type === 'submit' || type === 'image') && attributes.disabled === undefined

/** Whether the server is told that this one was pressed. */
const isOther = ({ name, attributes }: HtmlInput): boolean =>
  name !== '' || attributes.formaction !== undefined || attributes.formmethod !== undefined

/** What pressing that button of it sends. `pressing`: by what fields beside it know it, where that is not its name. */
export const draftsBy = (
  given: HtmlForm,
  button: HtmlInput | null,
  pageUrl: string,
  base: string,
  pressing?: string,
): readonly Draft[] => {
  const form = pressed(given, button, base)
  if (form.action === null || form.method === 'dialog' || !/^https?:/.test(form.action)) return []
  const by = button === null ? null : (pressing ?? pressedBy(button))
  const fields = [...fieldsOf(form.inputs, new URL(form.action).pathname, by), ...fieldsOfButton(button)]
  const known = {
    source: 'form',
    seenOn: pageUrl,
    sent: false,
    label: button?.label ?? '',
    ...effectOfForm(form, button, pageUrl),
    choices: choicesOf(form.inputs),
    typed: form.inputs.filter(isTyped).map(({ name }) => name),
    ...(isSamePath(form.action, pageUrl) ? { toItself: true as const, ...furnitureOf(form, button) } : {}),
  } as const
  if (form.method === 'get') {
    const { action } = form
    return [fields, ...alternativesOf(form.inputs, fields)].map((one) => ({
      ...known,
      method: 'GET',
      url: withFields(action, one),
    }))
  }
  const multipart = form.attributes.enctype?.trim().toLowerCase() === 'multipart/form-data'
  const encoding = multipart ? 'multipart' : 'urlencoded'
  const unfilled = multipart ? unfilledOf(form.inputs, fields) : {}
  return [{ ...known, method: 'POST', url: form.action, encoding, fields, ...unfilled }]
}

/** Nobody has to choose a file, and something else is told all the same. */
const unfilledOf = (inputs: readonly HtmlInput[], fields: readonly Field[]): Pick<Draft, 'unfilled'> => {
  const files = inputs.filter(({ type }) => type === 'file')
  const isOptional = files.length > 0 && files.every(({ attributes }) => attributes.required === undefined)
  return isOptional && inputs.some((one) => isTyped(one) && one.type !== 'file')
    ? { unfilled: fields.map((field) => (field.type === 'file' ? { ...field, value: '', type: NO_FILE } : field)) }
    : {}
}

/** Built and labelled alike in a block that is known again: the values alone may differ, as tokens do. */
const furnitureOf = ({ furniture, inputs }: HtmlForm, button: HtmlInput | null): Pick<Draft, 'furniture'> =>
  furniture === undefined
    ? {}
    : {
        furniture: JSON.stringify([
          furniture,
          button?.label ?? '',
          inputs.map(({ tag, type, name, label, attributes: { placeholder = '' } }) => [
            ...[tag, type, nameShape(name), label, placeholder],
          ]),
        ]),
      }

const isTyped = ({ tag, name, type, attributes }: HtmlInput): boolean =>
  name !== '' &&
  attributes.readonly === undefined &&
  (tag === 'textarea' || (tag === 'input' && ['', 'text', 'search'].includes(type)))

const withFields = (action: string, fields: readonly Field[]): string => {
  const url = new URL(action)
  url.search = new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value])).toString()
  return url.href
}

const OF_DATA: readonly (readonly [attribute: RegExp, method: 'get' | 'post' | 'put' | 'patch' | 'delete' | null])[] = [
  [/^data-(?:[a-z]+-){0,2}(?:action|url|endpoint|target-url|submit|post|href|uri|api)$/, null],
  [/^(?:data-)?hx-get$/, 'get'],
  [/^(?:data-)?hx-post$/, 'post'],
  [/^(?:data-)?hx-put$/, 'put'],
  [/^(?:data-)?hx-patch$/, 'patch'],
  [/^(?:data-)?hx-delete$/, 'delete'],
]

/** htmx sends it, wherever it runs: its page never gets the fields, and reads none of them. */
const isOfLibrary = ({ attributes }: HtmlForm): boolean =>
  Object.keys(attributes).some((name) => OF_DATA.some(([pattern, method]) => method !== null && pattern.test(name)))

/**
 * Nothing in it sends it, but for elements that send its fields elsewhere. One line alone is sent by the key Enter (HTML, 4.10.21.2), unless it is
 * such an element itself.
 */
const isLeftToElements = ({ attributes, inputs }: HtmlForm): boolean => {
  const isSending = (one: HtmlInput): boolean =>
    Object.keys(one.attributes).some((name) => OF_DATA.some(([of, by]) => by !== null && of.test(name)))
  const lines = inputs.filter(({ tag, type }) => tag === 'input' && !NO_LINE.includes(type))
  return attributes.action === undefined && inputs.some(isSending) && (lines.length !== 1 || lines.some(isSending))
}
const NO_LINE: readonly string[] = [...PRESSED, 'hidden', 'checkbox', 'radio', 'file', 'range', 'color']

/** It has an address of its own as well, for browsers without scripts. */
const isSentBesides = ({ attributes }: HtmlForm): boolean =>
  (attributes.action ?? '').trim() !== '' && attributes.method !== undefined

/**
 * A form without an address, to which a script gives one from what the form says for it: a browser alone would send it to its own page with GET.
 * What its method is stands there too, or that it is posted is a guess.
 */
const draftsOfData = (form: HtmlForm, button: HtmlInput | null, pageUrl: string, base: string): readonly Draft[] => {
  const { attributes, htmx } = form
  if (htmx === undefined && ((attributes.action ?? '').trim() !== '' || attributes.method !== undefined)) return []
  for (const [name, value] of Object.entries(attributes)) {
    const told = OF_DATA.find(([pattern]) => pattern.test(name))
    const action = told && /^(?:\/|\.{1,2}\/|https?:)/.test(value) ? URL.parse(value, base) : null
    if (!told || action?.origin !== new URL(pageUrl).origin) continue
    const by = told[1] ?? attributes['data-method']?.toLowerCase()
    const said = by ?? 'post'
    const whole = told[1] !== null && htmx !== undefined ? withHtmx(form, htmx) : form
    const method = /^(?:get|put|patch|delete)$/.test(said) ? said : 'post'
    const own = { ...whole, action: action.href, method: method === 'get' ? 'get' : 'post' }
    const drafts = draftsBy(own, button, pageUrl, base)
    if (told[1] !== null && htmx !== undefined) return sentByHtmx(drafts, htmx, method)
    if (method === 'get') return drafts
    return drafts.map((draft) => ({
      ...draft,
      method: method.toUpperCase(),
      ...(by === undefined ? { writes: 'guessed' as const } : {}),
    }))
  }
  return []
}

/** What is made up finds nothing, and a list that narrows it less still: a value of the text makes no difference then, whatever it is put into. */
const draftsFinding = (
  { inputs, action }: HtmlForm,
  draft: Draft | undefined,
  links: readonly HtmlLink[],
): readonly Draft[] => {
  const typed = inputs.filter(({ tag, type, name, value }) => tag === 'input' && isSearch(type, name) && value === '')
  const [one] = typed
  const word = action === null ? undefined : links.flatMap((link) => wordOfItem(link, action) ?? [])[0]
  if (draft?.method !== 'GET' || one === undefined || typed.length > 1 || word === undefined) return []
  const url = new URL(draft.url)
  url.searchParams.set(one.name, word)
  for (const { tag, name, value } of inputs) if (tag === 'select' && value === '') url.searchParams.set(name, '')
  const { choices: _choices, ...rest } = draft
  return [{ ...rest, url: url.href, apart: 'finds' }]
}

/** As a person sends it who only chooses from its lists: a made-up text beside them finds nothing, whatever the value of a list is put into. */
const draftsChoosing = ({ inputs }: HtmlForm, draft: Draft | undefined): readonly Draft[] => {
  const typed = inputs.filter(
    ({ tag, type, name, value, attributes }) =>
      tag === 'input' && isSearch(type, name) && value === '' && attributes.required === undefined,
  )
  const chooses = inputs.some(({ tag, options }) => tag === 'select' && options.length > 0)
  if (draft?.method !== 'GET' || typed.length === 0 || !chooses) return []
  const url = new URL(draft.url)
  for (const { name } of typed) url.searchParams.set(name, '')
  const { choices: _choices, ...rest } = draft
  return [{ ...rest, url: url.href, apart: 'chooses' }]
}

/**
 * As a person sends it who fills nothing: of a list that several fields narrow the values made up for them leave nothing, and one of them makes
 * no difference then, whatever it is put into. Posted where its button says that it reads.
 */
const draftsUnfilled = ({ inputs }: HtmlForm, button: HtmlInput | null, draft: Draft | undefined): readonly Draft[] => {
  const open = inputs.filter((one) => one.name !== '' && one.attributes.required === undefined && isOpen(one))
  const isPosted = draft?.method === 'POST' && button !== null && isReading(button)
  if (open.filter(({ type }) => type !== 'checkbox').length < 2 || !(draft?.method === 'GET' || isPosted)) return []
  const { choices: _choices, ...rest } = draft
  const left = new Map(open.map(({ name, type }) => [name, type === 'checkbox' ? null : '']))
  if (isPosted) {
    const fields = (draft.fields ?? [])
      .filter(({ name }) => left.get(name) !== null)
      .map((field) => ({ ...field, value: left.get(field.name) ?? field.value }))
    return [{ ...rest, fields, apart: 'unfilled' }]
  }
  const url = new URL(draft.url)
  for (const [name, value] of left) value === null ? url.searchParams.delete(name) : url.searchParams.set(name, value)
  return [{ ...rest, url: url.href, apart: 'unfilled' }]
}

/** Nobody has filled, chosen or ticked it. */
const isOpen = ({ tag, type, value, checked, options }: HtmlInput): boolean =>
  type === 'checkbox' ? !checked : value === '' && (tag === 'select' ? options.length > 0 : FREE.includes(type))

const isSearch = (type: string, name: string): boolean =>
  type === 'search' || ((type === 'text' || type === '') && isSearchName(name))
const isSearchName = (name: string): boolean =>
  [name, ownName(name), name.split('[')[0] ?? ''].some((one) => SEARCHES.test(one))
const SEARCHES =
  /^(?:q|s|query|search\w*|term|keywords?|filter|find|name|title|text|suche?\w*|begriff|recherche|buscar|cerca|zoek\w*)$/i

/** Of a link to one thing among many: below the address that is searched, or by a number. */
const wordOfItem = ({ url, text }: HtmlLink, action: string): string | null => {
  const [to, from] = [URL.parse(url ?? ''), URL.parse(action)]
  if (to === null || from === null || to.origin !== from.origin) return null
  const isItem = to.pathname.startsWith(`${from.pathname.replace(/\/$/, '')}/`) || /\/\d+(?:\/|$)/.test(to.pathname)
  return isItem ? (/\p{L}{4,20}/u.exec(text)?.[0] ?? null) : null
}

const MAX_ALTERNATIVES = 4
const FREE: readonly string[] = ['text', 'search', 'number', 'email', 'tel', 'date']

/** Where a person may fill one field or another, all of them filled often find nothing: each alone, too. */
const alternativesOf = (inputs: readonly HtmlInput[], fields: readonly Field[]): readonly (readonly Field[])[] => {
  const free = inputs.filter(
    ({ name, type, value, attributes }) =>
      name !== '' && FREE.includes(type) && value === '' && attributes.required === undefined,
  )
  if (free.length < 2 || free.length > MAX_ALTERNATIVES) return []
  const names = new Set(free.map(({ name }) => name))
  return free.map(({ name }) =>
    fields.map((one) => (names.has(one.name) && one.name !== name ? { ...one, value: '' } : one)),
  )
}

/** The form as this button sends it. */
const pressed = (form: HtmlForm, button: HtmlInput | null, base: string): HtmlForm => {
  const { formaction, formmethod, formenctype } = button?.attributes ?? {}
  return {
    ...form,
    action: formaction?.trim() ? (URL.parse(formaction.trim(), base)?.href ?? null) : form.action,
    method: formmethod === undefined ? form.method : methodOf(formmethod),
    attributes: formenctype === undefined ? form.attributes : { ...form.attributes, enctype: formenctype },
  }
}

const fieldsOfButton = (button: HtmlInput | null): readonly Field[] => {
  if (button === null || button.name === '') return []
  if (button.type !== 'image') return [{ name: button.name, value: button.value, type: 'submit' }]
  return ['x', 'y'].map((axis) => ({ name: `${button.name}.${axis}`, value: '1', type: 'submit' }))
}

/** What is sent of the inputs: of radios and checkboxes those that are chosen, or one where none of a name is. `path`: where they are sent; `by`: what is pressed. */
const fieldsOf = (inputs: readonly HtmlInput[], path: string, by: string | null = null): readonly Field[] => {
  const sent = inputs.filter(
    ({ name, type, attributes }) => name !== '' && !PRESSED.includes(type) && attributes.disabled === undefined,
  )
  const choices = new Map<string, HtmlInput>()
  for (const one of sent.filter(isChoice)) {
    const before = choices.get(one.name)
    if (!before || (one.checked && !before.checked)) choices.set(one.name, one)
  }
  return sent
    .filter((one) => {
      if (!isChoice(one)) return true
      if (one.type === 'checkbox' && one.checked) return true
      return choices.get(one.name) === one && (one.checked || harmOfParameter(one.name, one.value) === null)
    })
    .map((input) => ({
      name: input.name,
      value: isSpare(input, sent) ? '' : exampleFor(input, path),
      type: input.type || input.tag,
      ...farOf(input, by),
      ...(input.type === 'file' && input.attributes.accept ? { accept: input.attributes.accept.slice(0, 200) } : {}),
    }))
}

/** `items[1][sku]`, `items-1-sku`: a row, and what it is told by. */
const ROW = /^(.{1,100}?)([[.-])(\d{1,4})([\].-].{1,100})$/
/** An empty row behind one that is filled: programs leave it out as it is, and look for what was made up in it. */
const isSpare = ({ name, value, tag, attributes }: HtmlInput, sent: readonly HtmlInput[]): boolean => {
  const [, list = '', sign = '', row = '', member = ''] = ROW.exec(name) ?? []
  if (list === '' || value !== '' || tag === 'select' || attributes.required !== undefined) return false
  return sent.some((one) => {
    const [, of, by, before, what] = ROW.exec(one.name) ?? []
    return of === list && by === sign && what === member && Number(before) < Number(row) && one.value !== ''
  })
}

const farOf = ({ near }: HtmlInput, by: string | null): Pick<Field, 'far'> =>
  by === null || near === undefined || near.includes(by) ? {} : { far: true }

/** Lists to choose from, and radios of one name; no other language, which may be kept with the account. */
const choicesOf = (all: readonly HtmlInput[]): readonly Choice[] => {
  const inputs = all.filter(({ name }) => !CHOOSES_LANGUAGE.test(name))
  const lists = inputs.filter(({ tag, name }) => tag === 'select' && name !== '')
  const radios = Map.groupBy(
    inputs.filter(({ type, name }) => type === 'radio' && name !== ''),
    ({ name }) => name,
  )
  return [
    ...lists.map(({ name, options }) => ({ name, values: options })),
    ...[...radios].map(([name, group]) => ({ name, values: group.map(({ value }) => value) })),
  ]
    .map(({ name, values }) => ({ name, values: values.filter((value) => value !== '') }))
    .filter(({ values }) => values.length > 1)
}

const isChoice = ({ type }: HtmlInput): boolean => type === 'radio' || type === 'checkbox'

/** `mat-input-3`, `mat-mdc-checkbox-0-input`, `input-v-12`, `:r4:`, `react-aria123-7`: counted as the page was drawn. */
const COUNTED = /[-_:]\d+(?:[-_:](?:input|button|control|field))?$|:\w+:$|\d{3,}(?:[-_:]|$)/i

/** A box without a name is a switch of the page: styles show a menu by its state, and nobody sends it. */
const idOf = ({ type, attributes: { id = '' } }: HtmlInput): string =>
  type === 'checkbox' || type === 'radio' || COUNTED.test(id) ? '' : id

/**
 * Inputs that stand in no form: scripts send them, often to the page itself, but tokens against forged requests in a head. A new one
 * with each page would make each page another. Without a name the id stands for it, but none that a library has counted: it is another
 * at each visit. Null where there are none.
 */
export const draftOfLooseInputs = (inputs: readonly HtmlInput[], pageUrl: string): Draft | null => {
  const fields = fieldsOf(
    inputs.map((one) => ({ ...one, name: one.name || idOf(one) })),
    new URL(pageUrl).pathname,
  ).filter(({ name, value, type }) => type !== 'file' && type !== 'password' && !isToken(name, value))
  if (fields.length === 0 || fields.length > 12) return null
  const url = new URL(pageUrl)
  for (const { name, value } of fields) url.searchParams.set(name, value)
  // What nobody sees stands for the site where it says the same on each page.
  const untold = inputs.filter(({ name, value }) => !isToken(name, value))
  const around = untold.map(({ furniture, tag, type, name, value }) => {
    const block = furniture ?? (type === 'hidden' ? value : null)
    return block === null ? null : [block, tag, type, nameShape(name)]
  })
  const known = around.includes(null) ? {} : { furniture: JSON.stringify(['no form', around]) }
  return { method: 'GET', url: url.href, source: 'form', seenOn: pageUrl, sent: false, toItself: true, ...known }
}
