/**
 * What a scan must never do to a site, told before the request is sent: log out, delete, order, pay, subscribe, send
 * mail, upload. Words are looked for as whole words in addresses, labels and field names, in the languages we know.
 */

const word = (...alternatives: readonly string[]): RegExp =>
  new RegExp(`(?:^|[^\\p{L}])(?:${alternatives.join('|')})(?:[^\\p{L}]|$)`, 'iu')

/** Gravest first; the first that matches is the reason. */
const HARMS: readonly (readonly [reason: string, pattern: RegExp])[] = [
  [
    'it ends the session',
    word(
      'log[-_ ]?(?:out|off)',
      'sign[-_ ]?(?:out|off)',
      'end[-_ ]?session',
      'abmelden',
      'ausloggen',
      'd[ée]connexion',
      'se d[ée]connecter',
      'cerrar[-_ ]sesi[oó]n',
      'salir',
      'uitloggen',
      'logga[-_ ]ut',
      'wyloguj',
      'esci',
      'sair',
    ),
  ],
  [
    'it deletes',
    word(
      'delete\\w{0,3}',
      'del',
      'remove\\w{0,3}',
      'destroy',
      'erase',
      'purge',
      'drop',
      'truncate',
      'wipe',
      'uninstall',
      'l(?:ö|oe)schen',
      'entfernen',
      'supprimer',
      'eliminar',
      'borrar',
      'verwijderen',
      'elimina',
      'excluir',
    ),
  ],
  [
    'it buys or pays',
    word(
      'add[-_ ]?to[-_ ]?(?:cart|basket|bag)',
      '(?:cart|basket|warenkorb)[-_/ ](?:add|update|clear|empty)',
      'buy(?:[-_ ]?now)?',
      'purchase',
      'pay(?:[-_ ]?now)?',
      'place[-_ ]?order',
      'order[-_ ]?now',
      'confirm[-_ ]?order',
      'submit[-_ ]?order',
      'donate',
      'checkout[-_/](?:confirm|submit|complete|place|pay)',
      'kaufen',
      'bestellen',
      'bezahlen',
      'zahlungspflichtig',
      'acheter',
      'commander',
      'payer',
      'comprar',
      'pagar',
    ),
  ],
  [
    'it changes a subscription',
    word('unsubscribe', 'subscribe', 'opt[-_ ]?(?:out|in)', 'abbestellen', 'abonnieren', 'newsletter[-_/](?:add|join)'),
  ],
  [
    'it sends messages or invites people',
    word('send[-_ ]?(?:mail|email|message|sms|invite)', 'invite', 'broadcast', 'notify[-_ ]?all', 'resend'),
  ],
  [
    'it changes state for good',
    word(
      'cancel',
      'revoke',
      'reset',
      'disable',
      'deactivate',
      'suspend',
      'shutdown',
      'restart',
      'reboot',
      'approve',
      'reject',
      'publish',
      'transfer',
      'withdraw',
      'close[-_ ]?account',
      'restore',
      'rollback',
      'regenerate',
      'rotate',
      'k(?:ü|ue)ndigen',
    ),
  ],
]

/** Why a GET of this address, or a click on this label, would do harm; null where nothing says so. */
export const harmOf = (...texts: readonly string[]): string | null => {
  const readable = texts.map((text) =>
    decoded(text)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .slice(0, 2_000),
  )
  return HARMS.find(([, pattern]) => readable.some((text) => pattern.test(text)))?.[0] ?? null
}

/** Path and query alone: a host may be called order.example. */
export const harmOfAddress = (address: string): string | null => {
  const url = URL.parse(address)
  return url ? harmOf(`${url.pathname} ${url.search}`) : 'it is no address'
}

const SEARCH_FIELD = /^(?:q|s|query|search|searchterm|term|keywords?|filter|suche|suchbegriff|recherche|find|text)$/i
const SEARCH_PLACE = /(?:^|[^a-z])(?:search|suche|recherche|find|filter|lookup|query|graphql|suggest|autocomplete)/i
const PERSONAL_FIELD = /pass|mail|phone|tel|card|iban|cvc|name|address|street|message|comment|amount|price|file/i

/**
 * Whether a POST may be sent while crawling: only what looks for something. Everything else is kept as a template and
 * left to modules that know what they do.
 */
export const isSearch = (
  address: string,
  fields: readonly { readonly name: string; readonly type: string }[],
): boolean => {
  const typed = fields.filter(({ type }) => !['hidden', 'submit', 'button', 'image', 'reset'].includes(type))
  if (typed.length === 0 || typed.length > 4) return false
  if (typed.some(({ name, type }) => ['password', 'email', 'tel', 'file'].includes(type) || isPersonal(name)))
    return false
  return typed.some(({ name }) => SEARCH_FIELD.test(name)) || SEARCH_PLACE.test(new URL(address).pathname)
}

const isPersonal = (name: string): boolean => PERSONAL_FIELD.test(name) && !SEARCH_FIELD.test(name)

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '))
  } catch (error) {
    if (error instanceof URIError) return text // A stray % is no escape: the text is judged as it stands.
    throw error
  }
}
