/** What sending a form would do, told by its button, its fields and what it asks before. */
import type { HtmlElement, HtmlForm, HtmlInput } from '../page/html.ts'
import { controlName } from '../page/names.ts'
import { deedsAsked } from './asking-first.ts'
import { isSafe } from './effect.ts'
import { harmOf, harmOfParameter, isHandbook } from './safety.ts'
import { wordsOf } from './words.ts'

export const SETS_PASSWORD = 'it sets a password'
export const SETS_NAME = 'it sets what an account signs in by'
export const REGISTERS = 'it registers an account'
export const ASKS_FIRST = 'it asks before it is done'

/**
 * 'said': its button says that it writes; 'likely': it shows what is stored, to be altered; 'guessed': that it is posted there, by a script, is a
 * guess, and so is what it does.
 */
export type Writes = 'said' | 'likely' | 'guessed' | null

export interface FormEffect {
  readonly harm: string | null
  /** As it looks, whatever its method says. */
  readonly writes: Writes
}

/**
 * The button by which a form is best sent: one that tells of no harm, and goes where the form itself goes. Null where it has
 * none.
 */
export const buttonOf = (form: HtmlForm): HtmlInput | null => {
  const buttons = form.inputs.filter(isSubmit)
  const own = buttons.filter(
    ({ attributes }) => attributes.formaction === undefined && attributes.formmethod === undefined,
  )
  const mild = own.filter((button) => buttonHarm(button) === null)
  return mild.find(isReading) ?? mild[0] ?? own[0] ?? buttons[0] ?? null
}

/** `page`: the address of the page it stands on. */
export const effectOfForm = (form: HtmlForm, button: HtmlInput | null, page: string): FormEffect => {
  return { harm: harmOfForm(form, button), writes: writesOf(form, button, page) }
}

const harmOfForm = (form: HtmlForm, button: HtmlInput | null): string | null => {
  const asked = harmAsked(form) ?? (button === null ? null : harmAsked(button))
  if (asked !== null) return asked
  if (setsPassword(form)) return namesAccount(form) && !showsAccount(form) ? REGISTERS : SETS_PASSWORD
  // Without a name nothing tells the server which was pressed, so each stands for all.
  const unnamed = form.inputs.filter((one) => isSubmit(one) && one.name === '')
  for (const one of button === null ? unnamed : [button, ...unnamed]) {
    const harm = buttonHarm(one)
    if (harm !== null) return harm
  }
  for (const { type, name, value } of form.inputs) {
    const harm = type === 'hidden' ? harmOfParameter(controlName(name), value) : null
    if (harm !== null) return harm
  }
  return null
}

/** Whose password it sets is told beside it: it is not that of whoever sends it. */
const namesAccount = ({ inputs }: HtmlForm): boolean =>
  inputs.some(({ type, name }) => ['text', 'email'].includes(type) && isAccount(name) && !isPassword(name))
const isAccount = (name: string): boolean => ACCOUNT_FIELD.test(controlName(name))
export const isPassword = (name: string): boolean => PASSWORD.test(controlName(name))
const ACCOUNT_FIELD = /user|login|mail|account|nick|name|benutzer|konto/i

/** Who it is stands there already: a profile, of whoever is signed in more often than not. */
const showsAccount = ({ inputs }: HtmlForm): boolean =>
  inputs.some(({ type, name, value }) => ['text', 'email'].includes(type) && isAccount(name) && value.trim() !== '')

/**
 * Whether a request of these names changes the password of whoever sends it: it gives the old one or a new one, or one twice and tells of no
 * account, or of one that is there by its number; where a profile is, one twice is for whoever asks.
 */
export const changesPassword = (names: readonly string[], address: string): boolean => {
  const passwords = [...new Set(names)].filter(isPassword)
  if (passwords.some((name) => /new|old|current/i.test(name))) return true
  if (passwords.length < 2) return false
  const others = names.filter((name) => !isPassword(name))
  return !others.some(isAccount) || others.some((name) => BY_NUMBER.test(name)) || isOfOwn(address)
}
/** An account that is made has none yet. */
const BY_NUMBER =
  /^(?:.*[[_-])?(?:check_?)?(?:user|account|member|profile|person|people|customer|employee|u)[_-]?id\]?$/i
const isOfOwn = (address: string): boolean => {
  const words = segmentWordsOf(address).map((one) => one.join(' '))
  const [of = '', last = ''] = ['', '', ...words].slice(-2)
  return OWN.test(last) || (OWN.test(of) && ALTERS.test(last))
}

/**
 * Whether what is to be done is said to alter something, by a mutation (`updateMe`) or a field (`action=edit_profile`), and a password is among
 * the names: it replaces the one before.
 */
export const altersPassword = (
  names: readonly string[],
  pairs: readonly (readonly [name: string, value: string])[],
  done: readonly string[],
): boolean => {
  if (!names.some(isPassword)) return false
  const said = [...done, ...pairs.filter(([name]) => DOES.test(name)).map(([, value]) => value)]
  return said.some((text) => text.length <= 60 && wordsOf(text).some((word) => ALTERS.test(word)))
}
const ALTERS = /^(?:update|edit|change|modify|set|save|alter)$/

/**
 * Whether a path says that the password of whoever asks is changed (`/change-password`, `/password/update`), and values are handed to it.
 * What they are called says less: `current`, `new` and `repeat` are told apart by their path alone.
 */
export const changesPasswordAt = (address: string, names: readonly string[]): boolean => {
  const url = new URL(address)
  if (names.every((name) => OF_A_PAGE.test(name)) || isHandbook(url)) return false
  const segments = segmentWordsOf(address)
  if (isOwnPassword(segments)) return true
  return segments.some((words, index) => {
    const pair = words.length === 1 ? [...(segments[index - 1] ?? []), ...words] : words
    return pair.length <= 4 && !/^(?:how|why|when|wie|warum)$/.test(pair[0] ?? '') && CHANGED.test(pair.join(' '))
  })
}
/** Of each segment of the path its words, without the ending of a file. */
const segmentWordsOf = (address: string): readonly (readonly string[])[] =>
  new URL(address).pathname
    .split('/')
    .filter(Boolean)
    .map((segment) => wordsOf(segment.replace(/\.\w{1,5}$/, '')))

/**
 * Whether what is put in the place of something, or alters it (RFC 9110, 9.3.4; RFC 5789), holds a password: nobody signs in or registers that
 * way, and the record may be that of whoever sends it.
 */
export const replacesPassword = (method: string, names: readonly string[]): boolean =>
  /^(?:PUT|PATCH)$/i.test(method) && names.some(isPassword)

/** `/account/password`: that of whoever asks. What only ends in the word may be a step of signing in, or a list of them. */
const isOwnPassword = (segments: readonly (readonly string[])[]): boolean => {
  const [own = [], last = []] = segments.slice(-2)
  return segments.length > 1 && new RegExp(`^${SECRET_WORD}$`, 'u').test(last.join(' ')) && OWN.test(own.join(' '))
}
const OWN =
  /^(?:my ?)?(?:me|myself|self|own|account|profile|user|settings|security|preferences|konto|profil|compte|cuenta)$/

/**
 * Whether it puts another address or name in the place of the one that an account signs in by: `PUT /me/email`, `POST /account/change-username`. A profile
 * with its fields is more than that.
 */
export const changesSignInName = (method: string, address: string, names: readonly string[]): boolean => {
  const segments = segmentWordsOf(address).map((words) => words.join(' '))
  const [whose = '', of = '', last = ''] = ['', '', ...segments].slice(-3)
  if (isSafe(method) || names.length === 0) return false
  if (CHANGED_NAME.test(last) || (SIGN_IN_NAME.test(of) && CHANGES.test(last))) return true
  if (!SIGN_IN_NAME.test(last)) return false
  return OWN.test(of) || (PEOPLE.test(whose) && /^(?:PUT|PATCH)$/i.test(method))
}
const PEOPLE =
  /^(?:users?|people|persons?|customers?|members?|accounts?|profiles?|benutzer|kunden|utilisateurs|usuarios)$/

/**
 * Whether a profile of whoever sends it gets another name in the place of the one that they sign in by: `PUT /me` with an address of mail that is
 * not theirs. `account`: that name.
 */
export const replacesSignInName = (
  address: string,
  pairs: readonly (readonly [name: string, value: string])[],
  account: string,
): boolean => {
  const called = account.includes('@') ? OF_MAIL : OF_USER
  const own = account.trim().toLowerCase()
  const isOther = ([name, value]: readonly [string, string]): boolean =>
    called.test(wordsOf(name).join(' ')) && value !== '' && value.trim().toLowerCase() !== own
  return isOfOwn(address) && pairs.some(isOther)
}
const OF_MAIL = /(?:^| )e? ?mail(?: ?address)?$/
const OF_USER = /(?:^| )(?:user ?name|user ?login|login ?name|login|nick ?name|handle)$/

/** How a page is shown and where it leads on to. */
const OF_A_PAGE =
  /^(?:page|view|tab|step|lang\w*|locale|theme|format|ref\w*|from|next|back\w*|return\w*|redirect\w*|continue)$/i
export const SECRET_WORD = '(?:pass ?(?:word|wd|phrase|code)?|pwd|passwort|kennwort|mot de passe|contraseña|contrasena)'
const CHANGING = '(?:change|chg|update|modify|set|edit|renew|ändern|aendern|changer|modifier|cambiar)'
const CHANGED = new RegExp(
  `(?:^| )(?:${CHANGING} ?(?:(?:my|your|own|user|account|the|new) )?${SECRET_WORD}|${SECRET_WORD} ?${CHANGING})(?: |$)`,
  'u',
)

const NAME_WORD = '(?:e ?mail(?: ?address)?|user ?name|login ?name|benutzername|e mail adresse)'
const SIGN_IN_NAME = new RegExp(`^${NAME_WORD}$`, 'u')
const CHANGES = new RegExp(`^${CHANGING}$`, 'u')
const CHANGED_NAME = new RegExp(
  `^(?:${CHANGING} ?(?:(?:my|your|own|user|account|the|new) )?${NAME_WORD}|${NAME_WORD} ?${CHANGING})$`,
  'u',
)

const isSubmit = ({ type, attributes }: HtmlInput): boolean =>
  (type === 'submit' || type === 'image') && attributes.disabled === undefined

const buttonHarm = ({ label, name, value }: HtmlInput): string | null =>
  harmOf(label) ?? (name === '' ? null : harmOfParameter(controlName(name), value))

/** Attributes of libraries by which an element asks before it does something: Rails, Turbo, Unpoly, htmx, Livewire, Bootstrap. */
export const ASKING: readonly string[] = [
  ...['data-confirm', 'data-turbo-confirm', 'up-confirm', 'hx-confirm', 'wire:confirm', 'data-ays', 'data-bs-confirm'],
]

/** A question before the deed: `onsubmit="return confirm(…)"`, or the attribute of a library for it. */
export const asksFirst = ({ attributes }: Pick<HtmlElement, 'attributes'>): boolean =>
  ['onclick', 'onsubmit'].some((name) => /\bconfirm\s*\(/.test(attributes[name] ?? '')) ||
  ASKING.some((name) => attributes[name] !== undefined)

/** What a question before the deed says that it does; null where nothing is asked. */
export const harmAsked = (element: Pick<HtmlElement, 'attributes'>): string | null =>
  asksFirst(element) ? (harmOf(...deedsAsked(questionOf(element))) ?? ASKS_FIRST) : null

/** What it asks; '' where that is put together elsewhere. */
const questionOf = ({ attributes }: Pick<HtmlElement, 'attributes'>): string => {
  const [own = ''] = ASKING.flatMap((name) => attributes[name] ?? [])
  const [, , called = ''] = QUESTION.exec(`${attributes.onclick ?? ''} ${attributes.onsubmit ?? ''}`) ?? []
  return own === '' ? called : own
}
const QUESTION = /\bconfirm\s*\(\s*(["'`])(.{0,300}?)\1/

const UNSEEN = ['hidden', 'submit', 'button', 'image', 'reset', 'checkbox']
export const PASSWORD =
  /^(?:.*\[)?(?:(?:new|old|current|confirm|repeat|user|my|admin|login|account)[_-]?)*(?:pass(?:word|wd|wort)?|pwd|passphrase|kennwort|mot_?de_?passe|contrase(?:n|ñ)a)\]?(?:[_-]?(?:new|old|current|confirm\w*|conf|again|repeat|verify|\d))?$/i
const OF_A_CHANGE = /new|old|current|conf|again|repeat|retype|verif|re-?enter|2$/i
const MAKES_ACCOUNT = /register|registr|sign-?up|join|create|change|update|set|new|konto anlegen|profil|invite|reset/i

/**
 * Whoever signs in gives one password and who they are, and posts it, or presses a button that says so. Everything else with a
 * password sets one.
 */
const setsPassword = (form: HtmlForm): boolean => {
  const { inputs, method, action } = form
  const seen = inputs.filter(({ type, name }) => name !== '' && !UNSEEN.includes(type))
  const passwords = seen.filter(({ type, name }) => type === 'password' || (type === 'text' && isPassword(name)))
  if (passwords.length === 0) return false
  if (passwords.length > 1 || seen.length > 4) return true
  if (method !== 'post' && !saysSignIn(form)) return true
  if (passwords.some(({ name, autocomplete }) => OF_A_CHANGE.test(name) || /new-password/.test(autocomplete ?? '')))
    return true
  const told = [URL.parse(action ?? '')?.pathname ?? '', ...inputs.filter(isSubmit).map(({ label }) => label)]
  return told.some((text) => MAKES_ACCOUNT.test(text) && !/session/i.test(text))
}

const saysSignIn = (form: HtmlForm): boolean =>
  namesAccount(form) && form.inputs.some((one) => isSubmit(one) && SIGNS_IN.test(one.label))
const SIGNS_IN =
  /^\s*(?:(?:log|sign)[ -]?(?:in|on)|anmelden|einloggen|(?:se )?connecter|iniciar sesión|accedi|inloggen)\b/i

const WRITES =
  /^(?:save|update|change|set|create|add|insert|store|register|rename|modify|upload|import|post|send|assign|edit|enter|record|speichern|ändern|anlegen|hinzufügen|enregistrer|modifier|ajouter|guardar|cambiar|salva|opslaan)$/
const READS =
  /^(?:search|find|filter|show|view|list|go|look|display|browse|refresh|sort|next|previous|preview|open|select|apply|query|check|get|suchen?|finden|anzeigen|filtern|rechercher|chercher|buscar|cerca|zoeken)$/

export const isReading = ({ label }: HtmlInput): boolean => READS.test(wordsOf(label)[0] ?? '')

const writesOf = (form: HtmlForm, button: HtmlInput | null, page: string): Writes => {
  if (button === null && isLeftToScripts(form)) return 'guessed'
  const [first = '', second = ''] = wordsOf(button?.label ?? '')
  if ((WRITES.test(first) && !/^filters?$/.test(second)) || isToldToWrite(form)) return 'said'
  if (button !== null && isReading(button)) return null
  const known = new Set(URL.parse(page)?.searchParams.keys())
  return form.inputs.some((one) => !known.has(one.name) && isStored(one)) ? 'likely' : null
}

/**
 * Boxes to tick, and nothing in it that is pressed, typed or chosen from a list (HTML, 4.10.21.2): scripts read it, and send what is ticked elsewhere. Its own
 * address is often that of its page, where a post makes a new record.
 */
const isLeftToScripts = ({ method, inputs }: HtmlForm): boolean =>
  method === 'post' &&
  inputs.every(({ type }) => type === 'hidden' || type === 'checkbox' || type === 'radio') &&
  !inputs.some(({ attributes }) =>
    ['onclick', 'onchange', 'oninput'].some((name) => /submit/i.test(attributes[name] ?? '')),
  )

/** `<input type=hidden name=action value=add-menu-item>`: its program is told so whichever of its buttons is pressed, a search among them. */
const isToldToWrite = ({ method, inputs }: HtmlForm): boolean =>
  method === 'post' &&
  inputs.some(({ type, name, value }) => type === 'hidden' && DOES.test(name) && MAKES.test(wordsOf(value)[0] ?? '')) &&
  !inputs.some(({ type }) => type === 'password')
/** Names of fields that say what is to be done. */
export const DOES = /^_?(?:action|act|do|op|operation|operationname|cmd|command|task|method|mode|procedure)$/i
const MAKES = /^(?:save|update|create|add|insert|rename|modify|upload|import|assign|edit)$/

/** Personal or free text that the page has filled in, as forms for altering it do. */
const isStored = ({ tag, type, name, value }: HtmlInput): boolean =>
  (tag === 'textarea' || ['text', 'email', 'tel'].includes(type)) &&
  value.trim() !== '' &&
  !/^\d+$/.test(value) &&
  !/^(?:q|s|query|search\w*|terms?|keywords?|filter\w*|find|from|to|date\w*|since|until|start|end|page|limit|sort|order)$/i.test(
    controlName(name),
  )
