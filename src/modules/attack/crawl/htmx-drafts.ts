/** Forms and elements that htmx sends: which values go with them, and how (https://htmx.org/docs/#parameters). */

import type { HtmlForm, HtmlInput } from '../../../page/html.ts'
import type { HtmxRequest } from '../../../page/htmx.ts'
import type { Draft } from './requests.ts'
import { mayBeSecret } from './secret-headers.ts'

/** With the values that htmx sends beside its own, and what is settled around it. */
export const withHtmx = (form: HtmlForm, { sends, values, settings }: HtmxRequest): HtmlForm => {
  const { 'hx-confirm': confirm, 'hx-encoding': enctype } = settings
  const said = new Set(values.map(([name]) => name))
  return {
    ...form,
    attributes: {
      ...form.attributes,
      ...(confirm === undefined ? {} : { 'hx-confirm': confirm }),
      ...(enctype === undefined ? {} : { enctype }),
    },
    inputs: [
      // What is said takes the place of what stands in a field.
      ...[...form.inputs, ...sends.filter((one) => !form.inputs.includes(one))].filter(({ name }) => !said.has(name)),
      ...values.map(([name, value]) => inputOf({ tag: 'input', type: 'hidden', name, value })),
    ],
  }
}

/** As the library sends them: by its method, with its headers but what may be a secret, and as JSON where an extension does. */
export const sentByHtmx = (
  drafts: readonly Draft[],
  { headers, settings }: HtmxRequest,
  method: string,
): readonly Draft[] => {
  const secret = headers.flatMap(([name]) => (mayBeSecret(name) ? [name] : []))
  const told = headers.filter(([name]) => /^[\w-]{1,60}$/.test(name) && !mayBeSecret(name))
  const isJson = /\bjson-enc/.test(settings['hx-ext'] ?? '')
  return (method === 'get' ? drafts : drafts.slice(0, 1)).map((draft) => {
    const sent = isJson && draft.fields ? asJson(draft) : draft
    return {
      ...sent,
      method: method.toUpperCase(),
      headers: [...(sent.headers ?? []), ...told, ['HX-Request', 'true']],
      ...(secret.length > 0 ? { withheld: secret } : {}),
    }
  })
}

const asJson = ({ fields = [], ...draft }: Draft): Draft => ({
  ...draft,
  encoding: 'json',
  body: JSON.stringify(Object.fromEntries(fields.map(({ name, value }) => [name, value]))),
  headers: [['Content-Type', 'application/json']],
})

/** One that the page does not have. */
export const inputOf = (known: Pick<HtmlInput, 'tag' | 'type'> & Partial<HtmlInput>): HtmlInput => ({
  ...{ name: '', value: '', checked: false, options: [], autocomplete: null, label: '', attributes: {} },
  ...known,
})
