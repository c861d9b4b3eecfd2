/**
 * What no probe may ever hold. Checked for every value before it is sent, and for every payload of the product by a test.
 * A probe proves that input is executed; it never writes, deletes, reads data, starts a program that does, or burns time.
 */
import type { Effect } from './effect.ts'

const NEVER: readonly (readonly [reason: string, pattern: RegExp])[] = [
  ['changes data', /\b(insert|update|delete|drop|alter|create|truncate|replace\s+into|merge|grant|revoke|rename)\b/i],
  [
    'changes the server',
    /\b(shutdown|kill|attach|detach|vacuum|pragma|reindex|lock\s+table|handler|set\s+(global|session))\b/i,
  ],
  [
    'reads or writes files',
    /\b(load_file|outfile|dumpfile|load\s+data|pg_read_\w+|pg_ls_\w+|lo_\w+|copy|bfilename|utl_file|openrowset|load_extension|readfile|writefile)\b/i,
  ],
  [
    'runs programs',
    /\b(xp_\w+|sp_\w+|exec(ute)?|system|popen|spawn|passthru|shell_exec|dbms_(?!pipe\.receive_message)\w+|sys_eval)\b/i,
  ],
  [
    'makes the server connect',
    /\b(utl_(http|inaddr|tcp|smtp)|dblink|http_get|httpuritype|wget|curl|nc|ncat|telnet|ssh)\b/i,
  ],
  ['makes the server connect', /\b(?:urlopen|fetch|file_get_contents|HTTP::Tiny)\b/],
  [
    'is a heavy query',
    /\b(benchmark|randomblob|generate_series|information_schema|all_tables|sysobjects|pg_catalog|sqlite_master)\b/i,
  ],
  ['reads data', /\b(from|join)\s+(?!dual\b|pg_sleep\b|\(\s*select\b)[\w."`[]/i],
  // Without a `<` before it, which opens a file that is not there and ends the command, and without a bracket, which no shell can read in a
  // word; a name with a slash needs a folder that is there.
  ['makes a file where a shell reads it', /^[^<(]*>\s*(?!&)[\w.{}$-]+(?![^\s;|&<>]*\/)/],
  [
    'writes through the shell',
    />|<\(|\b(rm|mv|cp|dd|tee|chmod|chown|mkfs|touch|ln|crontab|reboot|halt|python\d?|perl|ruby|php|bash|sh)\b/i,
  ],
]

/** Reasons that hold in some languages alone. What is for a browser is markup throughout. */
const OF_LANGUAGES: Readonly<Record<string, (language: string | undefined) => boolean>> = {
  'writes through the shell': (language) => language === 'shell',
  'makes a file where a shell reads it': (language) => language !== 'markup',
}

/** On requests that may store something, a condition that is true for every row could reach every row. */
const NEVER_WHERE_IT_WRITES: readonly (readonly [string, RegExp])[] = [['could match every row', /\bor\b/i]]

/** Why the value must not be sent, or null. `markup` is for a browser: a bracket there redirects nothing. */
export const harmOf = (
  payload: string,
  where: {
    readonly effect: Effect
    readonly language?: 'sql' | 'shell' | 'markup'
    /** Beginning of addresses of our own: the one thing that a server may be made to call. */
    readonly home?: string
  },
): string | null => {
  const rules = [
    ...NEVER.filter(([reason]) => (OF_LANGUAGES[reason] ?? (() => true))(where.language)),
    ...(where.effect !== 'reads' && where.language !== 'markup' ? NEVER_WHERE_IT_WRITES : []),
  ]
  const text = withoutElements(where.home === undefined ? payload : withoutCalls(payload, where.home))
  return rules.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}

/**
 * Whether a document has an element is a question that XPath alone can read: to every database of SQL `(//` is an error. What
 * is never true, which ends such a question, matches nothing anywhere.
 */
const withoutElements = (payload: string): string =>
  payload.includes('(//')
    ? payload.replace(/\bor(?=[ (](?:not|boolean|count)\(\/\/\w| ?(\\?["'])q\1=\1p\b| contains\('q','p\b)/g, '')
    : payload

/** Without the two programs where they fetch from `home`, and without the functions where all that is named is `home`. */
const withoutCalls = (payload: string, home: string): string => {
  const address = home.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const text = payload.replace(new RegExp(`\\b(?:curl -m 3|wget -T 3 -O -) ${address}`, 'g'), 'call ')
  return namesHomeAlone(text, home) ? text.replace(/\b(?:urlopen|fetch|file_get_contents|HTTP::Tiny)\b/g, 'call') : text
}

/** Texts that are written as the numbers of their characters are read, too. A product may stand before the name of `home`. */
const namesHomeAlone = (payload: string, home: string): boolean => {
  const text = payload.replace(/\b\d{2,3}(?:,\d{2,3}){3,}\b/g, (codes) =>
    String.fromCharCode(...codes.split(',').map(Number)),
  )
  const { host } = new URL(home)
  const addresses = [...text.matchAll(/https?:\/\/([^`),\]]*)/g)]
  if (addresses.length === 0) return false
  return addresses.every(([whole, rest = '']) => {
    if (whole.startsWith(home)) return true
    const [, behind = ''] = /^qv(?:\$\{\d+\*\d+\})?(.*)$/.exec(rest) ?? []
    return behind === '' ? rest === 'qv' && text.includes(`.${host}`) : behind.startsWith(`.${host}`)
  })
}
