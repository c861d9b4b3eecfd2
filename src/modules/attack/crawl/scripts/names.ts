/** What names tell: which object is a client of HTTP, which a collection, and which method names say nothing. */

const VERBS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete', 'head'])

/** A method called so sends a request where its object is a client (RFC 9110, RFC 5789). */
export const isVerb = (name: string): boolean => VERBS.has(name)

/** No collection has methods that are called so. */
export const isTellingVerb = (name: string): boolean => name === 'post' || name === 'put' || name === 'patch'

export const isMethod = (text: string | null): text is string =>
  text !== null && /^(?:GET|POST|PUT|PATCH|DELETE|HEAD)$/i.test(text)

const CLIENTS: ReadonlySet<string> = new Set(
  `http https axios api client rest ajax xhr request requests agent superagent ky got fetcher backend httpclient resource $`.split(
    /\s+/,
  ),
)
const COLLECTIONS: ReadonlySet<string> = new Set(
  `map maps cache caches params param headers header storage store stores registry routes route router i18n translate
  translations dictionary dict messages set sets session cookies cookie data index table lookup config settings options props
  attributes attrs state context injector container form controls group collection list queue pool weakmap formdata url
  location history window document element node app server keys items values entries memo by`.split(/\s+/),
)

const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/^[#_$]+(?=\w)/, '')
    .replace(/[_$]+$/, '')
    .split(/(?<=[a-z\d])(?=[A-Z])|[_$-]/)
    .map((word) => word.toLowerCase())

/** A name that a minifier has made says nothing. */
export const isTelling = (name: string): boolean => name.length > 2 || name === '$' || name === 'ky'

export const isClient = (name: string): boolean => {
  const words = wordsOf(name)
  return name === '$' || CLIENTS.has(words.at(-1) ?? '') || words[0] === 'http'
}

export const isCollection = (name: string): boolean => COLLECTIONS.has(wordsOf(name).at(-1) ?? '') && !isClient(name)

/** Methods of the language, of elements, of collections and of usual libraries: a class that has one so named is not known by it. */
const COMMON: ReadonlySet<string> = new Set(
  [
    'get set has add delete remove clear keys values entries forEach map filter find findIndex some every reduce push pop shift unshift',
    'slice splice concat join sort reverse includes indexOf call apply bind then catch finally subscribe pipe next error complete emit on off',
    'once send open close abort load save update create insert append prepend replace query select all one list item index count',
    'fetch request execute run start stop init reset reload refresh show hide toggle render mount unmount destroy dispose attach detach',
    'addEventListener removeEventListener dispatchEvent getAttribute setAttribute querySelector querySelectorAll createElement getItem',
    'setItem removeItem appendChild removeChild insertBefore match test exec split trim replaceAll toString valueOf parse stringify log warn',
    'info debug assign freeze resolve reject navigate navigateByUrl push go back forward register unregister write read dispatch commit use',
    'post put patch head options with of from is at do value name check submit handle process define component directive service provide',
    'inject extend merge clone copy apply key type id url path search download upload import export submit validate transition animate css',
    'attr prop val html text data trigger each ajax done fail always format compile extract getState setState t',
  ]
    .join(' ')
    .split(' '),
)

export const isCommon = (name: string): boolean => COMMON.has(name) || name.length < 4

/** Functions that take whatever address they are given: no path of the site stands behind them alone. */
export const isGeneric = (name: string): boolean =>
  /^[_$#]*(?:post|request|send|call|api|ajax|http|fetch|xml|json|invoke|execute)(?:Json|JSON|Text|Data|Request|Api|Async|Raw)?_?$/.test(
    name,
  )

/** What is called so is no wrapper around a client but one itself. */
export const isBareClient = (name: string): boolean =>
  /^[#_$]*(?:https?|axios|ajax|xhr|superagent|jquery)(?:Client|Service)?_?$|^\$$/i.test(name)
