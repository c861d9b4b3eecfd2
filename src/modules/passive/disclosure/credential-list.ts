import { isPlaceholder } from '../../../knowledge/secrets/verify.ts'
import { findPasswords } from '../../../page/passwords.ts'
import { isPlainly } from '../../answers.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import type { SeenText } from './facts.ts'
import { conceal, overTexts } from './texts.ts'

const definition: FindingDefinition = {
  id: 'disclosure/credential-list',
  title: 'Credentials in a file: passwords of accounts can be fetched by everybody',
  severity: 'high',
  cwe: 522,
  why: 'Whoever finds the file can sign in as these accounts, here and wherever the same passwords are used.',
  remediation:
    'Change the passwords, move the file out of the folder that the web server delivers, and look through the log for who has fetched it.',
  references: [
    'https://cwe.mitre.org/data/definitions/522.html',
    'https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html',
  ],
}

export const credentialList: Check<'disclosure', 'site'> = {
  findings: [definition],
  judge: (facts, _known, about) =>
    overTexts(facts, about, definition, (text) => {
      const credentials = credentialsIn(text)
      if (credentials === null) return null
      return {
        detail: `${text.url} holds ${credentials.what} (masked here).`,
        excerpt: masked(credentials).slice(0, 1_500),
      }
    }),
}

interface Credentials {
  readonly what: string
  /** The lines that hold them, and the values in them. */
  readonly mark: string
  readonly values: readonly string[]
}

type Asked = Pick<SeenText, 'url' | 'status' | 'body' | 'contentType' | 'module'>

const FEWEST = 3
const MOST_LINES = 20_000

/** Accounts with their passwords in a text that is no page and no script, and that a visitor's plain request was answered with. */
export const credentialsIn = ({ url, status, body, contentType, module }: Asked): Credentials | null => {
  if (status !== 200 || !isPlainly(module) || /html|javascript|ecmascript|css|markdown/.test(contentType)) return null
  if (/^\s*</.test(body) && /<html|<!doctype html/i.test(body.slice(0, 1_000))) return null
  const lines = body.split(/\r?\n/, MOST_LINES).map((line) => line.trim())
  if (contentType.endsWith('json')) return ofJson(body)
  const settings = SETTINGS.test(new URL(url).pathname) ? ofSettings(lines) : null
  return ofTable(lines) ?? ofHashes(lines) ?? ofRecords(lines) ?? settings
}

const PASSWORD = /^(?:pass(?:word|wd|wort|phrase)?|pwd|kennwort|mot[ _]?de[ _]?passe|contrase\u00f1a|clave|senha)$/i
const ACCOUNT =
  /^(?:(?:user|account|login|benutzer|nutzer)[ _-]?(?:name|id)?|e-?mail|mail|name|nick|utilisateur|usuario)$/i
const cells = (line: string): readonly string[] =>
  line.split(/[,;|\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))

/** Columns with a head: `login;password`. */
const ofTable = (lines: readonly string[]): Credentials | null => {
  const [head = '', ...rows] = lines.filter((line) => line !== '')
  const names = cells(head)
  const [account, password] = [
    names.findIndex((name) => ACCOUNT.test(name)),
    names.findIndex((name) => PASSWORD.test(name)),
  ]
  if (account < 0 || password < 0) return null
  const full = rows.filter(
    (row) => cells(row).length === names.length && cells(row)[account] !== '' && isValue(cells(row)[password] ?? ''),
  )
  if (full.length < FEWEST) return null
  const values = full.map((row) => cells(row)[password] ?? '')
  return isVaried(values)
    ? {
        what: `a table of ${full.length} accounts with their passwords`,
        mark: [head, ...full.slice(0, 5)].join('\n'),
        values,
      }
    : null
}

/** `name:$2y$10$…` as htpasswd and shadow write it; a page about it has one, in prose. */
const HASHED = /^[\w.@-]{1,64}:(\$(?:2[aby]|apr1|[156]|y|argon2id?)\$[\w./$,=+-]{20,200}|\{SHA\}[\w+/]{27}=)(?::|$)/
const ofHashes = (lines: readonly string[]): Credentials | null => {
  const full = lines.filter((line) => HASHED.test(line))
  if (full.length === 0 || full.length < lines.filter((line) => line !== '').length / 2) return null
  const values = full.map((line) => HASHED.exec(line)?.[1] ?? '')
  return {
    what: `hashed passwords of ${full.length} account${full.length === 1 ? '' : 's'}`,
    mark: full.slice(0, 5).join('\n'),
    values,
  }
}

/** Line by line or block by block: `user: a`, `password: b`. */
const ofRecords = (lines: readonly string[]): Credentials | null => {
  const full = lines.filter((line) => line.length < 300 && findPasswords(line).some(isValue))
  const values = full.flatMap(findPasswords)
  const named = lines.filter((line) =>
    /\b(?:user(?:[ _-]?name)?|login|account|e-?mail|benutzer(?:name)?)\s{0,3}[:=]/i.test(line),
  )
  if (full.length < FEWEST || named.length < full.length || !isVaried(values)) return null
  return { what: `${full.length} accounts with their passwords`, mark: full.slice(0, 5).join('\n'), values }
}

/** Files that programs read; a text for people shows settings as samples. */
const SETTINGS = /\.(?:inc|ini|conf|cfg|config|env|properties|ya?ml|toml|bak|old|orig|save)$|~$|\/\.env[\w.]*$/i

/** A setting of a program: a password, and beside it what it is for. */
const SETTING = /^[$\w.'"[\]-]{0,40}pass(?:word|wd)?['"\]]{0,3}\s{0,8}(?:=>|=|:)\s{0,4}['"]?([^\s'";,]{4,64})/i
const BESIDE =
  /^[$\w.'"[\]-]{0,40}(?:host(?:name)?|server|user(?:name)?|database|db_?name|dsn|login)['"\]]{0,3}\s{0,8}(?:=>|=|:)\s{0,4}['"]?[\w.@/:-]{2,}/i
const ofSettings = (lines: readonly string[]): Credentials | null => {
  for (const [index, line] of lines.entries()) {
    const value = SETTING.exec(line)?.[1]
    if (value === undefined || !isValue(value) || /[(){}<>]|^\$/.test(value)) continue
    const around = lines.slice(Math.max(0, index - 6), index + 7)
    if (around.filter((other) => BESIDE.test(other)).length < 2) continue
    return { what: 'the settings of an account with its password', mark: around.join('\n'), values: [value] }
  }
  return null
}

/** A list of objects that have both. */
const ofJson = (body: string): Credentials | null => {
  const pairs = [...body.matchAll(/\{[^{}]{1,2000}\}/g).take(5_000)].flatMap(([object]) => {
    const fields = [...object.matchAll(/"([\w -]{1,40})"\s*:\s*"((?:[^"\\]|\\.){1,200})"/g)]
    const password = fields.find(([, name = '', value = '']) => PASSWORD.test(name) && isValue(value))?.[2]
    return password !== undefined && fields.some(([, name = '']) => ACCOUNT.test(name)) ? [{ object, password }] : []
  })
  const values = pairs.map(({ password }) => password)
  if (pairs.length < FEWEST || !isVaried(values) || /"(?:openapi|swagger|\$schema)"\s*:/.test(body)) return null
  return {
    what: `${pairs.length} accounts with their passwords`,
    mark: pairs
      .slice(0, 3)
      .map(({ object }) => object)
      .join('\n'),
    values,
  }
}

/** Placeholders and masks are none. */
const isValue = (value: string): boolean =>
  value.length >= 3 &&
  !isPlaceholder(value) &&
  !/^(?:\*+|x+|\.+|-+|null|none|true|false|string|password|secret|changeme|your.*|example.*|<.*>|\$\{.*\}|%.*%|\{\{.*)$/i.test(
    value,
  )

const isVaried = (values: readonly string[]): boolean => new Set(values).size >= FEWEST

const masked = ({ mark, values }: Credentials): string =>
  values
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, value) => text.replaceAll(value, '*'.repeat(Math.min(value.length, 12))), conceal(mark))
