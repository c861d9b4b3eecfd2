/**
 * Weaknesses that somebody can suppose at a place, and which checks answer for each. No schemas: whoever draws a form loads this file.
 */
interface WeaknessOf {
  /** The name that the field has for it. */
  readonly title: string
  /** The module that asks. */
  readonly module: string
  /** Checks that have to come to an answer at the place before it counts as refuted. */
  readonly asks: readonly string[]
  /** Those that have to as well where the place is a parameter of the query, which scripts of the page may read. */
  readonly asksOfQuery?: readonly string[]
  /** Checks whose confirmed finding proves it. */
  readonly proves: readonly string[]
  /** What is not refuted where nothing was proven, in a sentence. */
  readonly beyond?: string
}

const alone = (title: string, module: string, ...checks: readonly string[]): WeaknessOf => ({
  ...{ title, module, asks: checks, proves: checks },
})

const REFLECTED = ['xss/reflected', 'xss/reflected-click', 'xss/html-injection'] as const
/** By the page's own scripts, which are asked for all that they read. */
export const DRAWN = ['xss/dom', 'xss/dom-click'] as const
const STATEMENTS = ['sqli/error', 'sqli/boolean', 'sqli/union', 'sqli/time', 'sqli/stacked'] as const

export const WEAKNESSES = {
  sqli: {
    ...{ title: 'SQL injection', module: 'sqli', asks: STATEMENTS },
    proves: [...STATEMENTS, 'sqli/second-order'],
  },
  xss: {
    ...{ title: 'Cross-site scripting', module: 'xss', asks: REFLECTED, asksOfQuery: DRAWN },
    // What is stored, or drawn by scripts of other pages, shows only on pages that the run knows, so its absence refutes nothing.
    proves: [
      ...[...REFLECTED, 'xss/reflected-mitigated', 'xss/reflected-own-request', 'xss/stored', 'xss/stored-in-account'],
      ...['xss/websocket-message', ...DRAWN],
    ],
    beyond:
      'What is stored, and shown by pages that the run does not know or by their scripts, is not refuted by that.',
  },
  open_redirect: alone('Open redirect', 'xss', 'xss/open-redirect'),
  header_injection: alone('Header injection', 'xss', 'xss/header-injection'),
  path_traversal: alone('Path traversal', 'injection', 'injection/path-traversal'),
  command: alone('Command injection', 'injection', 'injection/command'),
  code: alone('Code injection', 'injection', 'injection/code'),
  template: alone('Template injection', 'injection', 'injection/template'),
  nosql: alone('NoSQL injection', 'injection', 'injection/nosql'),
  ldap: alone('LDAP injection', 'injection', 'injection/ldap'),
  xpath: alone('XPath injection', 'injection', 'injection/xpath'),
  xxe: alone('XML external entities', 'injection', 'injection/xml-external-entity'),
  file_inclusion: alone('File inclusion', 'injection', 'injection/file-inclusion'),
  ssrf: alone('Server-side request forgery', 'injection', 'injection/server-side-request'),
  deserialization: alone('Deserialisation of what a visitor sends', 'injection', 'injection/deserialization'),
} as const satisfies Readonly<Record<string, WeaknessOf>>

export type Weakness = keyof typeof WEAKNESSES
export const WEAKNESS_NAMES = Object.keys(WEAKNESSES) as [Weakness, ...Weakness[]]
export const weaknessOf = (name: Weakness): WeaknessOf => WEAKNESSES[name]
