/**
 * What a page has a script put into its form and send: by a link, a list to choose from, a picture. Two families of frameworks keep all of a page in one
 * form and do so: ASP.NET Web Forms (`__doPostBack`, `WebForm_DoPostBackWithOptions`) and JavaServer Faces (`mojarra.jsfcljs`, `myfaces.oam.submitForm`,
 * `PrimeFaces.ab`).
 */
import { nameShape } from './shape.ts'

/** One call of such a script. */
export interface Postback {
  /** Fields that it sets, in the place of the form's own of these names. */
  readonly sets: readonly (readonly [name: string, value: string])[]
  /** Id of the form that it names; null for the one that keeps the state of its page. */
  readonly form: string | null
}

/** Names of the fields by which Web Forms says which control a person has used, and for what. */
const TARGET = '__EVENTTARGET'
const ARGUMENT = '__EVENTARGUMENT'
/** MyFaces names the link by such a field of its form. */
const LINK = ':_idcl'

const POSTS = /doPostBack|PostBackOptions|jsfcljs|submitForm|PrimeFaces\.ab|mojarra\.ab/
const LONGEST = 4_000
const MOST_PARAMETERS = 20

const TEXT = `["']([^"'\\\\]{0,400})["']`
const BY_TARGET = new RegExp(`doPostBack\\(\\s*${TEXT}\\s*,\\s*${TEXT}`)
const BY_OPTIONS = new RegExp(`PostBackOptions\\(\\s*${TEXT}\\s*,\\s*${TEXT}`)
const BY_MOJARRA = /jsfcljs\(\s*document\.getElementById\(\s*["']([^"'\\]{1,200})["']\s*\)\s*,\s*\{([^{}]{0,1000})\}/
const BY_MYFACES =
  /submitForm\(\s*["']([^"'\\]{1,200})["']\s*,\s*["']([^"'\\]{1,200})["'](?:\s*,\s*(?:null|["'][^"'\\]{0,100}["'])\s*,\s*\[(.{0,1000})\])?/
const BY_PRIMEFACES = /PrimeFaces\.ab\(\s*\{[^{}]{0,300}?\b(?:s|source):\s*["']([^"'\\]{1,200})["']/
const BY_AJAX = /mojarra\.ab\(\s*this\s*,\s*event\s*,\s*["']action["']/
const PAIR = /["']([^"'\\]{1,300})["']\s*[:,]\s*["']([^"'\\]{0,300})["']/g
const NAMED_PAIR = /name:\s*["']([^"'\\]{1,300})["']\s*,\s*value:\s*["']([^"'\\]{0,300})["']/g

/** Null where this code of an element sends no form so. `id`: of the element. */
export const postbackIn = (code: string, id: string): Postback | null => {
  if (!POSTS.test(code)) return null
  // Code within code: `setTimeout('__doPostBack(\'list\',\'\')', 0)`.
  const text = code.slice(0, LONGEST).replace(/\\+(["'])/g, '$1')
  const [, target, argument = ''] = BY_TARGET.exec(text) ?? BY_OPTIONS.exec(text) ?? []
  if (target)
    return {
      sets: [
        [TARGET, target],
        [ARGUMENT, argument],
      ],
      form: null,
    }
  const [, form = null, parameters = ''] = BY_MOJARRA.exec(text) ?? []
  if (form !== null) return called(form, null, pairsOf(parameters, PAIR))
  const [, of = '', link, listed = ''] = BY_MYFACES.exec(text) ?? []
  if (link) return called(of, [`${of}${LINK}`, link], pairsOf(listed, PAIR))
  const source = BY_PRIMEFACES.exec(text)?.[1] ?? (BY_AJAX.test(text) ? id : '')
  return source === '' ? null : called(null, [source, source], pairsOf(text, NAMED_PAIR))
}

const pairsOf = (text: string, pattern: RegExp): Postback['sets'] =>
  [...text.matchAll(pattern)]
    .slice(0, MOST_PARAMETERS)
    .map(([, name = '', value = '']): readonly [string, string] => [name, value])

const called = (
  form: string | null,
  by: readonly [string, string] | null,
  parameters: Postback['sets'],
): Postback | null => {
  const sets = [...(by === null ? [] : [by]), ...parameters]
  return sets.length === 0 ? null : { sets, form }
}

/** Fields by which a page of these frameworks gets its state back: made for one page, and refused once anything else stands there. */
export const isStateField = (name: string): boolean => STATE.test(name)
const STATE =
  /^(?:__(?:VIEWSTATE(?:\d{1,4}|FIELDCOUNT|GENERATOR|ENCRYPTED)?|EVENTVALIDATION|PREVIOUSPAGE|SCROLLPOSITION[XY]|LASTFOCUS|ASYNCPOST)|(?:javax|jakarta)\.faces\.(?:ViewState|ClientWindow))$/

/** Whether it says which control was used, or how. */
export const isOfPostback = (name: string): boolean => isTarget(name) || name === ARGUMENT
/** Whether it says which. */
export const isTarget = (name: string): boolean => name === TARGET || name.endsWith(LINK)

/** What the control does for whoever uses it, whatever record it is about: `Page$2` is `Page`, a row of a table any of its rows. */
export const deedOfPostback = (name: string, value: string): string => {
  if (name === ARGUMENT) return /^[A-Za-z]{1,30}(?=\$)/.exec(value)?.[0] ?? value.replace(/\d+/g, '#')
  return /^\d+$/.test(value) ? '#' : nameShape(value)
}

/** Whether it is about one record or part of a list, as its argument tells. */
export const isOfRecord = ({ sets }: Pick<Postback, 'sets'>): boolean =>
  sets.some(([name, value]) => name === ARGUMENT && value !== '')

/** Equal for those that do one thing, for whatever record. */
export const shapeOfPostback = ({ sets }: Pick<Postback, 'sets'>): string =>
  JSON.stringify(sets.map(([name, value]) => [nameShape(name), deedOfPostback(name, value)]))
