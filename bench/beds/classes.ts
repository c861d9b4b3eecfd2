/** The classes of flaws of a bed, and which findings and modules they are for. */

export interface FlawClass {
  /** The module whose questions count; null where reaching the page is all. */
  readonly module: string | null
  /** Ids of findings that say it. */
  readonly finds: readonly string[]
  /** Checks whose `pass` says that there is none; by default the first of those that find it. */
  readonly claims?: readonly string[]
}

const SCRIPT = [
  ...['xss/reflected', 'xss/reflected-click', 'xss/reflected-mitigated', 'xss/reflected-own-request'],
  ...['xss/stored', 'xss/stored-in-account', 'xss/blind', 'xss/fragment', 'xss/cached-header'],
  ...['xss/dom', 'xss/dom-click', 'xss/dom-storage'],
  ...['xss/style-injection', 'xss/resource-injection'],
]
const SQL = ['sqli/error', 'sqli/boolean', 'sqli/union', 'sqli/time', 'sqli/stacked', 'sqli/second-order']

export const CLASSES: Readonly<Record<string, FlawClass>> = {
  sqli: { module: 'sqli', finds: SQL, claims: ['sqli/error', 'sqli/boolean', 'sqli/union', 'sqli/time'] },
  xss: { module: 'xss', finds: SCRIPT },
  stored: { module: 'xss', finds: ['xss/stored', 'xss/stored-in-account'] },
  'dom-xss': { module: 'xss', finds: SCRIPT, claims: ['xss/dom'] },
  html: { module: 'xss', finds: [...SCRIPT, 'xss/html-injection'] },
  redirect: { module: 'xss', finds: ['xss/open-redirect'] },
  header: { module: 'xss', finds: ['xss/header-injection'] },
  traversal: { module: 'injection', finds: ['injection/path-traversal', 'injection/file-inclusion'] },
  rfi: { module: 'injection', finds: ['injection/file-inclusion', 'injection/server-side-request'] },
  ssrf: { module: 'injection', finds: ['injection/server-side-request', 'injection/server-side-lookup'] },
  command: { module: 'injection', finds: ['injection/command'] },
  code: { module: 'injection', finds: ['injection/code', 'injection/template'] },
  template: { module: 'injection', finds: ['injection/template', 'injection/code'] },
  xxe: { module: 'injection', finds: ['injection/xml-external-entity'] },
  ldap: { module: 'injection', finds: ['injection/ldap'] },
  xpath: { module: 'injection', finds: ['injection/xpath'] },
  nosql: { module: 'injection', finds: ['injection/nosql'] },
  host: { module: 'injection', finds: ['injection/host-header', 'xss/cached-header'] },
  serialized: { module: 'injection', finds: ['injection/deserialization', 'injection/serialized-object'] },
  prototype: { module: 'prototypes', finds: ['prototypes/pollution'] },
  upload: {
    module: 'injection',
    finds: ['injection/file-upload-program', 'injection/file-upload-page'],
  },
  page: { module: null, finds: [] },
}

/** Ids of the checks whose `pass` denies the class. */
export const claimsOf = ({ claims, finds }: FlawClass): readonly string[] => claims ?? finds.slice(0, 1)
