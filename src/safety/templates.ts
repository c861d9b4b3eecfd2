/**
 * What a template does to a target, judged from what it sends and not from its tags alone: the catalogue's own marks leave
 * out most writes and many log-in attempts. A heuristic: it errs towards holding back.
 */

import type { HttpStep, Payloads, Step, Template } from '../templates/language/template.ts'
import { namesWanted } from '../templates/language/wanted.ts'

export type Tier =
  /** Said to harm: dos, intrusive, fuzz, bruteforce, local. */
  | 'destructive'
  /** Said to be intrusive, and sends nothing but what asks for a page. */
  | 'intrusive'
  /** Tries credentials. */
  | 'login'
  /** Changes something: uploads, creates, deletes, configures. */
  | 'write'
  /** Leaves HTTP's rules to confuse what stands in between: smuggling, cache poisoning. */
  | 'smuggling'
  /** Bytes on a socket that no HTTP client would send. */
  | 'raw-socket'
  /** Makes a database or a program wait. */
  | 'time-based'
  /** Needs a listener of our own to be called. */
  | 'out-of-band'
  /** Asks others than the target: search engines, code hosts, clouds. */
  | 'third-party'
  /** Sends more requests than one question is worth. */
  | 'bulk'
  /** Names a value that only the operator can give: a user name, a password, a key. */
  | 'operator-values'

export const TIERS: readonly Tier[] = [
  'destructive',
  'intrusive',
  'login',
  'write',
  'smuggling',
  'raw-socket',
  'time-based',
  'out-of-band',
  'third-party',
  'bulk',
  'operator-values',
]

/** Why a tier is held back, for the report. */
export const TIER_REASONS: Readonly<Record<Tier, string>> = {
  destructive: 'said to load, lock out or harm the target (tags dos, intrusive, fuzz, bruteforce, local)',
  intrusive: 'said to be intrusive, although it only asks for pages: test systems alone are asked',
  login: 'tries user names and passwords',
  write: 'would change something on the target',
  smuggling: 'request smuggling and cache poisoning reach other visitors',
  'raw-socket': 'sends what no HTTP client sends',
  'time-based': 'makes the target wait: test systems are asked, others with template_full',
  'out-of-band': 'needs a listener of our own, which is not set up',
  'third-party': 'asks others than the target',
  bulk: 'sends too many requests for one question',
  'operator-values': 'needs a value that only the operator knows, such as a user name (sonde templates run --var)',
}

/** Requests of one template beyond which it is `bulk`. */
export const MOST_REQUESTS = 100

const TAGS: readonly (readonly [Tier, ReadonlySet<string>])[] = [
  ['destructive', new Set(['dos', 'fuzz', 'fuzzing', 'bruteforce', 'brute-force', 'local'])],
  ['login', new Set(['default-login', 'creds-stuffing', 'login-check', 'default-credentials'])],
  ['write', new Set(['fileupload', 'file-upload', 'deletion', 'install-takeover'])],
  ['smuggling', new Set(['smuggling', 'cache-poisoning', 'cachepoisoning', 'race'])],
  ['time-based', new Set(['time-based', 'time-based-sqli', 'timebased'])],
]

const FOLDERS: readonly (readonly [Tier, RegExp])[] = [
  ['destructive', /(?:^|\/)fuzzing\//],
  ['login', /(?:^|\/)default-logins\//],
]

type Unjudged = Omit<Template, 'tiers' | 'requests'>

/** In the order of `TIERS`; empty for a template that only reads. */
export const classify = (template: Unjudged): { readonly tiers: readonly Tier[]; readonly requests: number } => {
  const requests = template.steps.reduce((sum, step) => sum + requestsOf(step), 0)
  const found = new Set<Tier>()
  const tags = new Set(template.info.tags)
  for (const [tier, names] of TAGS) if ([...names].some((name) => tags.has(name))) found.add(tier)
  for (const [tier, folder] of FOLDERS) if (folder.test(template.file)) found.add(tier)
  if (template.selfContained || template.steps.some(asksElsewhere)) found.add('third-party')
  if (requests > MOST_REQUESTS) found.add('bulk')
  if (namesWanted(template).length > 0) found.add('operator-values')
  const variables = template.variables.map(([, value]) => String(value)).join('\n')
  if (OUT_OF_BAND.test(variables)) found.add('out-of-band')
  for (const step of template.steps) for (const tier of tiersOf(step, variables)) found.add(tier)
  if (tags.has('intrusive'))
    found.add(!found.has('write') && template.steps.every(onlyAsks) ? 'intrusive' : 'destructive')
  return { tiers: TIERS.filter((tier) => found.has(tier)), requests }
}

/** Nothing but requests for pages, whose paths name no deed. What such a request runs on a flawed server is what a proof is for. */
const onlyAsks = (step: Step): boolean =>
  step.protocol === 'http' &&
  sentBy(step).every(([method, path]) => ASKING_METHODS.has(method) && !WRITING_PATH.test(path) && !DEED.test(path))

/** An address with a host of its own. Other `Host` headers go to the target all the same, and are often the point. */
const FOREIGN = /^\s*(?:https?|wss?):\/\/(?!\{\{)/i

const asksElsewhere = (step: Step): boolean => {
  switch (step.protocol) {
    case 'http':
      return (
        step.paths.some((path) => FOREIGN.test(path)) ||
        step.raw.some((raw) =>
          /^(?:@host:\s*(?:https?:\/\/)?(?!\{\{)|[A-Z]+\s+https?:\/\/(?!\{\{))/im.test(requestLines(raw)),
        )
      )
    case 'headless':
      return step.actions.some(({ action, args }) => action === 'navigate' && FOREIGN.test(args.url ?? ''))
    case 'tcp':
      return step.hosts.every((host) => !host.includes('{{'))
    default:
      return false
  }
}

/** Annotations and the request line. */
const requestLines = (raw: string): string => {
  const lines = raw.trimStart().split('\n')
  return lines.slice(0, 1 + lines.findIndex((line) => !line.startsWith('@'))).join('\n')
}

const OUT_OF_BAND = /interactsh|\boast\b/i

const tiersOf = (step: Step, variables: string): readonly Tier[] => {
  const tiers: Tier[] = []
  const text = `${textOf(step)}\n${variables}`
  if (OUT_OF_BAND.test(JSON.stringify(step))) tiers.push('out-of-band')
  if (WAITS.some((pattern) => pattern.test(text)) && /duration|@timeout/i.test(JSON.stringify(step))) {
    tiers.push('time-based')
  }
  if ('payloads' in step && triesCredentials(step.payloads)) tiers.push('login')
  if (WRITES.some((pattern) => pattern.test(text))) tiers.push('write')
  if (step.protocol === 'http') tiers.push(...httpTiers(step))
  if (step.protocol === 'javascript' && CONNECTS_AS.test(step.code)) tiers.push('login')
  return tiers
}

/** Everything that goes out, as text. */
const textOf = (step: Step): string => {
  const payloads = 'payloads' in step ? step.payloads.flatMap(([, list]) => ('file' in list ? [] : list)) : []
  switch (step.protocol) {
    case 'http':
      return [...step.paths, ...step.raw, ...step.headers.flat(), step.body ?? '', ...payloads].join('\n')
    case 'tcp':
      return [...step.inputs.map(({ data, hex }) => (hex ? '' : data)), ...payloads].join('\n')
    case 'headless':
      return [...step.actions.flatMap(({ args }) => Object.values(args)), ...payloads].join('\n')
    case 'javascript':
      return [step.code, ...payloads].join('\n')
    default:
      return ''
  }
}

const WAITS: readonly RegExp[] = [
  /\b(?:pg_sleep|sleep|benchmark|dbms_pipe\.receive_message|dbms_lock\.sleep|randomblob)\s*(?:\(|%28)/i,
  /waitfor[\s+/*%\d]*delay/i,
  /\bsleep(?:\+|%20| |\$\{IFS\})\d/i,
]

const WRITES: readonly RegExp[] = [
  // SQL that changes rows or tables, also where "+" or a comment stands for a space.
  /\b(?:insert(?:\s|\+|%20|\/\*\*\/)+into|drop(?:\s|\+|%20)+(?:table|database|user)|delete(?:\s|\+|%20)+from|truncate(?:\s|\+|%20)+table|create(?:\s|\+|%20)+(?:table|user|alias|function|or)|into(?:\s|\+|%20|\/\*\*\/)+(?:out|dump)file|alter(?:\s|\+|%20)+(?:table|user))\b/i,
  /\bupdate(?:\s|\+|%20)+[\w.`"]+(?:\s|\+|%20)+set\b/i,
  // A file sent, whatever the method.
  /\bfilename\s*=\s*["']?[^\s"';]/i,
  // Commands that write, fetch and run, or stop something.
  /(?:^|[\s;|&`(+"'=]|%20|%3b|%7c|\$\{IFS\})(?:rm(?:\s|\+|%20)+-|touch(?:\s|\+|%20)|mkdir(?:\s|\+|%20)|chmod(?:\s|\+|%20)|useradd|adduser|passwd(?:\s|\+|%20)|shutdown|reboot|halt|kill(?:all)?(?:\s|\+|%20)|mv(?:\s|\+|%20)\/|cp(?:\s|\+|%20)\/|certutil|bitsadmin)/i,
  /(?:echo|printf|cat|id|whoami|ls)\b[^\n]{0,200}?(?:>|%3e)(?:>|%3e)?(?:\s|\+|%20)*[/\w.$][\w./$-]*/i,
  /(?:^|[\s;|&`(+]|%20|%3b|%7c)tee(?:\s|\+|%20)+(?:-a(?:\s|\+|%20)+)?[/\w.$]/i,
  /(?:echo|printf)\b[^\n]{0,200}?(?:["']|%27|%22)(?:\s|\+|%20)*(?:>|%3e){1,2}(?:\s|\+|%20)*\//i,
  /\b(?:fputs|fwrite|file_put_contents|move_uploaded_file|unlink|writeFile(?:Sync)?|FileOutputStream|FileWriter|New-Item|Set-Content|Out-File)\s*\(/i,
  // Verbs of interfaces, in a value and not in a word of prose.
  /[?&"'\s](?:action|do|cmd|command|method|op|operation|task|act|mode|func|function|ajax|type)(?:"?\s*[:=]\s*"?|%3d)[\w./-]{0,40}?(?:upload|delete|remove|create|insert|install|register|adduser|add_user|import|restore|reset|write|save|update|edit|change|upgrade|set[_A-Z])/i,
]

const WRITING_METHODS: ReadonlySet<string> = new Set(['PUT', 'DELETE', 'PATCH', 'MKCOL', 'MOVE', 'COPY', 'LOCK'])
const WRITING_PATH =
  /\/(?:[\w.-]*[_-])?(?:upload|uploader|uploads?\.(?:php|jsp|aspx?)|delete|remove|adduser|add-user|createuser|create|register|signup|install|setup|import|restore|reset-?password|changepassword|change-?password|factory-?reset|save|update|deploy)(?:[_.-]?\w{0,20})?(?:\.\w{1,5})?(?:[/?\s]|$)/i
const ASKING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const DEED = /(?:wipe|erase|purge|drop|destroy|delete|remove|shut-?down|reboot|restart|format|disable|kill|flush)/i
const RAW_LINE = /^(?:@[^\n]*\n)*\s*([A-Z]+)\s+(\S*)/

const httpTiers = (step: HttpStep): readonly Tier[] => {
  const tiers: Tier[] = []
  if (step.unsafe) tiers.push('raw-socket')
  const sent = sentBy(step)
  for (const [method, path] of sent) {
    if (WRITING_METHODS.has(method)) tiers.push('write')
    if (method === 'POST' && WRITING_PATH.test(path)) tiers.push('write')
  }
  if (step.digest !== null || sent.some(([method]) => method === '{{method}}')) tiers.push('login')
  if (step.raw.some((raw) => SIGNS_IN.test(raw))) tiers.push('login')
  if (step.unsafe && step.raw.some((raw) => SMUGGLES.test(raw))) tiers.push('smuggling')
  return tiers
}

/** Method and address of each request of a step. */
const sentBy = (step: HttpStep): readonly (readonly [method: string, path: string])[] => [
  ...step.raw.flatMap((raw) => {
    const [, method, path = ''] = RAW_LINE.exec(raw) ?? []
    return method === undefined ? [] : [[method, path] as const]
  }),
  ...step.paths.map((path) => [step.method, path] as const),
]

/** A log-in form filled with a guessed pair; user names that the operator gives are variables and are told otherwise. */
const SIGNS_IN =
  /^POST[\s\S]{0,4000}(?:pass(?:word|wd)?|pwd)["']?\s*(?:=|:|%3d)\s*["']?(?:admin|root|password|123456|guest|test|default)\b/i
const SMUGGLES = /transfer-encoding[\s\S]{0,400}content-length|content-length[\s\S]{0,400}transfer-encoding/i
const CONNECTS_AS = /\b(?:ConnectWithDB|ConnectWithKey|ListShares|GetServerInfoAuth|ExecuteQuery|Connect)\s*\(/

const USER = /^(?:user|username|usr|login|usuario|email)s?$/i
const PASSWORD = /^(?:pass|password|passwd|pwd)s?$/i

const triesCredentials = (payloads: Payloads): boolean => {
  const names = payloads.map(([name]) => name)
  return names.some((name) => PASSWORD.test(name)) || (names.some((name) => USER.test(name)) && names.length > 1)
}

/** Requests that one step may send. A list in a file counts as many as it says, 1,000 while unread. */
export const requestsOf = (step: Step): number => {
  const combinations = 'payloads' in step ? productOf(step) : 1
  switch (step.protocol) {
    case 'http':
      return Math.max(1, step.paths.length + step.raw.length) * combinations
    case 'tcp':
      return Math.max(1, step.hosts.length) * Math.max(1, step.ports.length) * combinations
    default:
      return combinations
  }
}

const productOf = ({ payloads, attack }: { readonly payloads: Payloads; readonly attack: string }): number => {
  if (payloads.length === 0) return 1
  const sizes = payloads.map(([, list]) => ('file' in list ? 1_000 : list.length))
  if (attack === 'clusterbomb') return sizes.reduce((product, size) => product * size, 1)
  if (attack === 'pitchfork') return Math.min(...sizes)
  return sizes.reduce((sum, size) => sum + size, 0)
}
