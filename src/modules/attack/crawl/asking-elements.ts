/** Elements that a library sends requests from, and no form does: the attributes of htmx (https://htmx.org/reference/). */
import type { HtmlForm, HtmlInput, HtmlPage } from '../../../page/html.ts'
import { jsonOf } from '../../../page/json.ts'
import { draftsBy } from './forms.ts'
import type { Draft } from './requests.ts'

/** Of one page: a list has some for each of its rows. */
const MOST = 200
const MOST_VALUES = 20

const ASKS = /^(?:data-)?hx-(get|post|put|patch|delete)$/

/** A request each: with the element's own name and value, if it is an input, and what `hx-vals` says beside. */
export const draftsOfElements = (
  page: Pick<HtmlPage, 'asking' | 'forms' | 'looseInputs' | 'base'>,
  pageUrl: string,
) => {
  const inputs = [...page.forms.flatMap((form) => form.inputs), ...page.looseInputs]
  return [
    ...inputs.map((input) => ({ ...input, own: isPressed(input) ? [] : [input] })),
    ...page.asking.map((element) => ({ ...element, own: [] })),
  ]
    .filter(({ attributes }) => Object.keys(attributes).some((name) => ASKS.test(name)))
    .slice(0, MOST)
    .flatMap((element) => draftsOf(element, pageUrl, page.base))
}

interface Asking {
  readonly attributes: Readonly<Record<string, string>>
  /** As of a button. */
  readonly label: string
  readonly own: readonly HtmlInput[]
}

const isPressed = ({ tag, type }: HtmlInput): boolean =>
  tag === 'button' || ['submit', 'button', 'image'].includes(type)

const draftsOf = ({ attributes, label, own }: Asking, pageUrl: string, base: string): readonly Draft[] => {
  const [name = '', raw = ''] = Object.entries(attributes).find(([one]) => ASKS.test(one)) ?? []
  const method = ASKS.exec(name)?.[1] ?? 'get'
  const action = URL.parse(raw, base)
  if (action?.origin !== new URL(pageUrl).origin) return []
  const button = inputOf({ tag: 'button', type: 'submit', label })
  const form: HtmlForm = {
    ...{ tag: 'form', attributes, action: action.href, method: method === 'get' ? 'get' : 'post' },
    inputs: [...own, ...valuesOf(attributes['hx-vals'] ?? attributes['data-hx-vals'] ?? ''), button],
  }
  const drafts = draftsBy(form, button, pageUrl, base)
  return method === 'get' ? drafts : drafts.slice(0, 1).map((draft) => ({ ...draft, method: method.toUpperCase() }))
}

const inputOf = (known: Pick<HtmlInput, 'tag' | 'type'> & Partial<HtmlInput>): HtmlInput => ({
  ...{ name: '', value: '', checked: false, options: [], autocomplete: null, label: '', attributes: {} },
  ...known,
})

/** `{"id": 7}`; what a script works out is not known. */
const valuesOf = (text: string): readonly HtmlInput[] => {
  const values = jsonOf(text)
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return []
  return Object.entries(values)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .slice(0, MOST_VALUES)
    .map(([name, value]) => inputOf({ tag: 'input', type: 'hidden', name, value: String(value) }))
}
