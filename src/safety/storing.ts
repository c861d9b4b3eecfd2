/**
 * Words by which a request with a body tells that it sends, stores or changes something, in the languages we know. They only
 * forbid: a request that holds none of them is not known to read. The deeds of deeds.ts hold for every request beside them.
 */
import { ACTS, CHANGES_STATE, FILLERS } from './deeds.ts'
import { isGraphqlQuery } from './effect.ts'
import type { Asked } from './policy.ts'
import { ROUTING, wordsOf } from './words.ts'

export const SENDS = 'it sends a message or mail'
export const STORES = 'it stores what is written'
export const CHANGES = 'it changes what is stored'
export const UPLOADS = 'it uploads a file'
export const ACCOUNT = 'it changes what belongs to the account'
export const NUMBERED = 'a number says which of its commands it is'

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const SENDING = set(`
  send sends sendmail mail mailer email newsletter subscribe contact contactus feedback message messages msg sms invite
  invitation notify recommend share support enquiry inquiry forgot recover
  nachricht nachrichten kontakt contacto courriel correo mensaje messaggio bericht`)
const STORING = set(`
  comment comments reply replies answer answers review reviews rating ratings guestbook shoutbox note notes memo ticket tickets
  question questions register registration signup join create creates add adds new insert inserts upload uploads import
  book booking reserve reservation apply draft publish post posts vote bookmark
  kommentar kommentare kommentieren bewerten bewertung antworten gästebuch gaestebuch registrieren anlegen hinzufügen hinzufuegen hochladen buchen
  commentaire commenter répondre avis comentar responder publicar commenta rispondi ajouter inscription créer creer reseña añadir crear registro aggiungi crea toevoegen registreren adicionar`)
const CHANGING = set(`
  save saves saved update updates edit edits change changes modify rename set store move alter replace merge assign put
  patch write writes enable disable sync
  speichern ändern aendern bearbeiten umbenennen modifier enregistrer renommer guardar cambiar editar salva modifica
  opslaan wijzigen`)
/** Of an account that is signed in: what it may change is called after what it is. */
const OWNED = set(`
  settings setting options option preferences preference profile account accounts user users role roles permission
  permissions password passwd config configuration database databases table tables sql email import export execute backup
  avatar avatars picture pictures photo photos portrait
  einstellungen profil konto benutzer paramètres compte ajustes perfil cuenta`)
/** Names of fields that hold what people write to others, or what is theirs. */
const PERSONAL = set(`
  comment comments message messages msg feedback review email mail phone tel telephone mobile iban card cvc cvv amount
  price address street subject nachricht kommentar betreff telefon`)

/** Why a request with a body is taken to send, store or change something; null where no word says so. */
export const storingOf = (asked: Asked, signedIn: boolean): string | null => {
  if (isGraphqlQuery(asked)) return null
  if (asked.encoding === 'json' && /\bmutation\b/.test(asked.body ?? '')) return CHANGES
  const words = new Set(textsOf(asked).flatMap(wordsOf))
  const kinds: readonly (readonly [ReadonlySet<string>, string])[] = [
    [SENDING, SENDS],
    [STORING, STORES],
    [CHANGING, CHANGES],
    ...(signedIn ? [[OWNED, ACCOUNT] as const] : []),
  ]
  const said = kinds.find(([kind]) => !kind.isDisjointFrom(words))?.[1] ?? null
  if (said !== null) return said
  if ((asked.labels ?? []).some(isActing)) return CHANGES_STATE
  return isNumbered(asked) ? NUMBERED : personalOf(asked)
}

/** "Close", "Stop", "Acknowledge this problem": of a link it may be a view, and nobody posts to look at one. */
const isActing = (label: string): boolean =>
  label.split('\n').some((line) => {
    const first = wordsOf(line).find((word) => !FILLERS.has(word)) ?? ''
    return ACTS.has(first) || ACTING.has(first)
  })
const ACTING = set(
  'start launch trigger begin schedule reschedule run kill abort starten stoppen auslösen démarrer iniciar',
)

/** `cmd_typ=25`: one program for many commands, of which the number tells nobody what it does. */
const isNumbered = ({ url, fields }: Asked): boolean =>
  [
    ...new URL(url).searchParams,
    ...fields.flatMap(({ name, value, type }) => (SAYING.includes(type) ? [[name, value] as const] : [])),
  ].some(([name, value]) => /^\d{1,6}$/.test(value) && wordsOf(name).some((word) => COMMAND.has(word)))
const COMMAND = set('cmd command cmdtyp cmdtype action opcode operation befehl aktion')

/** Verbs by which an address bids something to be kept, alone; and such that do so with what they are done to. */
const BIDS = set('add create insert update save store submit append send write')
const BIDS_OF = set('post reply register log record put set change modify edit')
/** Names of what people write, by the last word; a message may be one of the page to whoever comes back to it. */
const WRITTEN = set(`
  comment text note notes body content description reply answer review feedback remark
  kommentar nachricht notiz commentaire comentario mensaje`)

/**
 * Why a GET is taken to store what somebody has written: its address ends with what is to be done (`/AddTimeWorked`), and its query has the
 * text. Without one it asks for a form. Or it hands something to somebody.
 */
export const storedByQuery = (address: string): string | null => {
  const { pathname, searchParams } = new URL(address)
  if (handsOver([...searchParams.keys()])) return CHANGES
  const words = wordsOf((pathname.split('/').findLast(Boolean) ?? '').replace(/\.\w{1,5}$/, ''))
  const [verb = ''] = words
  const bids = BIDS.has(verb) || (BIDS_OF.has(verb) && words.length > 1)
  if (!bids || words.length > LONGEST_NAME) return null
  const written = [...searchParams].some(
    ([name, value]) => WRITTEN.has(wordsOf(name).at(-1) ?? '') && /\p{L}/u.test(value),
  )
  return written ? STORES : null
}

/** How much of something goes to whom: credits given away by a link are gone. A span of time and a rate of exchange say from where as well. */
const handsOver = (names: readonly string[]): boolean => {
  const last = new Set(names.map((name) => wordsOf(name).at(-1) ?? ''))
  return !last.isDisjointFrom(RECIPIENTS) && !last.isDisjointFrom(AMOUNTS) && !last.has('from')
}
const RECIPIENTS = set('to recipient receiver payee beneficiary empfänger empfaenger destinataire destinatario')
const AMOUNTS = set('amount sum credit credits points coins betrag summe montant importe')

/** Of accounts: that one is made, won back, or gets another password. */
const ACCOUNT_SET = set(`
  reset forgot forgotten recover recovery restore register registration registr signup join invite invitation create change
  changed update new old current confirm confirmation repeat again retype verify verification activate delete remove profile
  settings preferences zurücksetzen vergessen registrieren registrierung ändern aendern neu profil konto oublié inscription
  profil olvidé registro perfil`)

/**
 * Whether anything about a request with a password tells that it sets one, or makes, changes or wins back an account: its path,
 * the page it stands on, its parameters and fields.
 */
export const setsAccount = ({
  seenOn,
  ...asked
}: Pick<Asked, 'method' | 'url' | 'fields' | 'encoding' | 'body'> & {
  readonly seenOn: readonly string[]
}): boolean => {
  const pages = [asked.url, ...seenOn].flatMap((url) => new URL(url).pathname.split('/').slice(-2))
  const names = asked.encoding === 'json' ? namesOfJson(asked.body ?? '') : asked.fields.map(({ name }) => name)
  const words = [...pages, ...names, ...textsOf(asked)].flatMap(wordsOf)
  return (
    words.some((word) => ACCOUNT_SET.has(word)) ||
    words.join(' ').includes('sign up') ||
    storingOf(asked, false) !== null
  )
}

/** Names of members, however deep. */
export const namesOfJson = (body: string): readonly string[] =>
  [...body.slice(0, 20_000).matchAll(/"([\w-]{1,60})"\s*:/g)].map(([, name = '']) => name)

/** Types of fields that say what is to be done; what people type says nothing. */
const SAYING = ['hidden', 'submit', 'image', 'button']

/** Segments of a path that name what is asked for, from its end; before them stands where the application lies. */
const PLACES = 3
/** Words of a segment; more are a title. */
const LONGEST_NAME = 4

/** Where a request is named: its path, its labels, and the values of what routes it. */
const textsOf = ({ url, fields, labels = [], encoding, body }: Asked): readonly string[] => {
  const { pathname, searchParams } = new URL(url)
  const named = [...searchParams, ...fields.map(({ name, value }) => [name, value] as const)]
  return [
    ...pathname
      .split('/')
      .slice(-PLACES)
      .filter((segment) => wordsOf(segment).length <= LONGEST_NAME),
    ...[...searchParams.keys()],
    ...named.flatMap(([name, value]) => (ROUTING.test(name) ? [value.slice(0, 80)] : [])),
    ...fields.flatMap(({ name, type }) => (SAYING.includes(type) ? [name] : [])),
    ...labels,
    ...(encoding === 'json' ? deedsOfJson(body ?? '') : []),
    ...(encoding === 'xml' ? [operationOf(body ?? '')] : []),
  ]
}

/** `"method": "users.save"` */
const deedsOfJson = (body: string): readonly string[] =>
  [...body.slice(0, 20_000).matchAll(/"([\w-]{1,60})"\s*:\s*"([^"\\]{1,80})"/g)].flatMap(([, name = '', value = '']) =>
    ROUTING.test(name) ? [value] : [],
  )

/** Of SOAP, and the root of any other document. */
const operationOf = (body: string): string =>
  /<(?:[\w.-]+:)?Body\b[^>]*>\s*<(?:[\w.-]+:)?([\w.-]+)/i.exec(body)?.[1] ??
  /<(?![?!])(?:[\w.-]+:)?([\w.-]+)/.exec(body)?.[1] ??
  ''

/** A sign-in is known by its one password; what it names beside it is who signs in. */
const personalOf = ({ fields, encoding, body }: Asked): string | null => {
  if (fields.some(({ type }) => type === 'file')) return UPLOADS
  const names =
    encoding === 'json'
      ? namesOfJson(body ?? '')
      : fields.filter(({ type }) => !SAYING.includes(type)).map(({ name }) => name)
  if (fields.some(({ type }) => type === 'password') || names.some((name) => PASSWORD.test(name))) return null
  if (fields.some(({ type }) => ['email', 'tel'].includes(type))) return SENDS
  const own = names.map(wordsOf).filter((words) => !OF_A_RECORD.test(words.at(-1) ?? ''))
  return own.some((words) => words.some((word) => PERSONAL.has(word))) ? SENDS : null
}

/** `messageId`, `address_type`: which one, and not what is written. */
const OF_A_RECORD = /^(?:ids?|no|nr|num|number|type|count|kind|page|lang|sort|order)$/
const PASSWORD = /^(?:pass(?:word|wd)?|pwd|passwort|kennwort)$/i
