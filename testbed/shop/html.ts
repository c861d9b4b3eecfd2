/** Text that is markup already and passes the template unescaped. */
export interface Markup {
  readonly markup: string
}

type Value = string | number | Markup | null | readonly (string | number | Markup)[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

export const markup = (text: string): Markup => ({ markup: text })

/** Everything interpolated is escaped, except what is Markup. Null prints nothing. */
export const html = (strings: TemplateStringsArray, ...values: readonly Value[]): Markup =>
  markup(strings.map((text, index) => text + print(values[index] ?? null)).join(''))

const print = (value: Value): string => {
  if (value === null) return ''
  if (typeof value === 'object' && 'markup' in value) return value.markup
  if (typeof value === 'object') return value.map(print).join('')
  return escapeHtml(String(value))
}
