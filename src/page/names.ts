/** Names of things and fields, as programs write them. */

/** In small letters, without signs. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, '')

/**
 * What a field is called within what it belongs to: `email` of `booking[guest][email]`, `ids` of `ids[]`, `qty` of `lines[0][qty]`, of the pointer
 * `/guest/email` (RFC 6901), and of the names that frameworks make of where a control stands: `Email` of `ctl00$Main$txtEmail`, `email` of `form:email`.
 */
export const ownName = (name: string): string => {
  const words = name.replace(/(?:\[\d*\])+$/, '').match(/[^[\]/]+/g) ?? []
  const own = words.at(-1) ?? name
  return controlName(own)
}

/** Of a name that a framework has made of where a control stands, what the control itself is called; any other as it is. */
export const controlName = (name: string): string =>
  MADE.test(name) ? (name.split(/[$:]/).at(-1) ?? name).replace(KIND_OF_CONTROL, '') : name

const MADE = /^[A-Za-z_][\w-]*(?:\$[\w-]+)+$|^[A-Za-z_][\w-]*(?::[\w-]+)+$/
/** Which kind of control it is, by the custom of Web Forms: `txtEmail`, `ddlRegion`. */
const KIND_OF_CONTROL = /^(?:txt|tb|ddl|cbo|chk|cb|rbl|rb|lst|lbl|hdn|hid|hf|btn|lnk|lbtn|ibtn)(?=[A-Z])/

/** Of a thing in small letters: what one of them is called. */
export const singular = (name: string): string => {
  if (/(?:ss|us|is)$/.test(name) || name.length < 4) return name
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`
  if (/(?:sses|xes|ches|shes|zes)$/.test(name)) return name.slice(0, -2)
  return name.endsWith('s') ? name.slice(0, -1) : name
}

/** With a space where a word begins: `backTo` is `back To`. */
export const wordsApart = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1 $2')

/** Of a field that takes a password, or what stands for one. */
export const PASSWORD_NAME = /pass(?:w|$|phrase)|pwd|kennwort|secret|(?:^|[^a-z])pw\d?(?![a-z])/i

/** Whose value nobody else is to read: of a password, or of what lets somebody in or a form through. */
export const isSecretName = (name: string): boolean =>
  PASSWORD_NAME.test(name) || /token|csrf|xsrf|nonce|api_?key|^__viewstate/i.test(ownName(name))

/** Of the fields of a sign-in the one that takes the password: by its name, else `p` beside `u` or `user`. Undefined where none does. */
export const passwordFieldOf = (names: readonly string[]): string | undefined =>
  names.find((name) => PASSWORD_NAME.test(name)) ??
  (names.some((name) => /^u(?:ser(?:name)?)?$/i.test(name)) ? names.find((name) => /^p$/i.test(name)) : undefined)

const ACCOUNT_NAME = /user|login|mail|account|name|ident|nick|benutzer|konto/i

/**
 * Of the fields of a sign-in, in their order, the one that says whose account it is: by its name, else the one before the password.
 * Undefined where neither is there.
 */
export const accountFieldOf = (names: readonly string[]): string | undefined => {
  const short = passwordFieldOf(names)
  const isPassword = (name: string): boolean => name === short || PASSWORD_NAME.test(ownName(name))
  const named = names.find((name) => ACCOUNT_NAME.test(ownName(name)) && !isPassword(name))
  return named ?? names.slice(0, Math.max(0, names.findIndex(isPassword))).at(-1)
}

const VERBS =
  'get find fetch read list load show view update edit change modify patch set rename save delete remove destroy create add insert make new assign move copy archive restore close reopen complete finish cancel approve reject publish submit share mark rate transfer send'.split(
    ' ',
  )
const DOES_BEFORE = new RegExp(`^(?:${VERBS.join('|')})(?:_|(?=[A-Z]))`)
const DOES_BEHIND = new RegExp(
  `(?:_(?:${VERBS.join('|')})|(?:${VERBS.map((verb) => `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`).join('|')}))$`,
)

/** What a procedure is about, by its name: an order of `updateOrder`, `orderById`, `update_orders_item`, `orders_by_pk`, `orderCancel`. */
export const thingOfProcedure = (name: string): string => {
  const bare = name.replace(DOES_BEFORE, '')
  return (bare === name ? name.replace(DOES_BEHIND, '') : bare).replace(
    /(?:By[A-Z]\w*|_by_[a-z]\w*|_(?:items?|one|many|batch))$/,
    '',
  )
}
