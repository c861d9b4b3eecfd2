import { isPlainly } from '../../answers.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import type { SeenText } from './facts.ts'
import { conceal, overTexts } from './texts.ts'

const definition: FindingDefinition = {
  id: 'disclosure/database-dump',
  title: 'Database dump: a copy of the database can be fetched by everybody',
  severity: 'high',
  cwe: 530,
  why: 'The file holds the records of the application, accounts among them as a rule.',
  remediation:
    'Remove the file from the folder that the web server delivers, look through the log for who has fetched it, and change the passwords that it holds.',
  references: ['https://cwe.mitre.org/data/definitions/530.html'],
}

export const databaseDump: Check<'disclosure', 'site'> = {
  findings: [definition],
  judge: (facts, _known, about) =>
    overTexts(facts, about, definition, (text) => {
      const dump = dumpIn(text)
      if (dump === null) return null
      return {
        detail: `${text.url} is a dump of ${dump.database} with its records.`,
        excerpt: conceal(text.body).slice(0, 600),
      }
    }),
}

/** What the programs that make dumps write first. */
const HEADS: readonly (readonly [database: string, pattern: RegExp])[] = [
  ['MySQL', /^\s*(?:\/\*!\d+[^\n]{0,200}\n)?-- (?:MySQL|MariaDB) dump \d|^\s*-- phpMyAdmin SQL Dump/],
  ['PostgreSQL', /^\s*--\s*\n-- PostgreSQL database dump/],
  ['SQLite', /^\s*PRAGMA foreign_keys=OFF;\s*BEGIN TRANSACTION;/],
]
/** Written by a program of its own: a file of SQL that makes its tables. */
const MAKES_TABLES =
  /^\s*(?:--[^\n]{0,300}\n\s*|\/\*[^*]{0,300}\*\/\s*|(?:BEGIN|SET|DROP|PRAGMA|USE)\b[^;]{0,300};\s*){0,40}CREATE TABLE\b/i
/** Of people: an address, or the hash of a password. A sample that documentation brings along has neither. */
const OF_PEOPLE = /[\w.+-]{1,64}@[\w-]{1,64}\.\w{2,}|\$2[aby]\$\d\d\$|'[\da-f]{32,128}'/i
const RECORDS = /^(?:INSERT INTO [`"[]?\w|COPY [\w."]{1,100} \([^)]{1,2000}\) FROM stdin;)/im

/** A dump with records in it: a schema without any is what documentation brings along. */
export const dumpIn = ({
  status,
  body,
  contentType,
  module,
}: Pick<SeenText, 'status' | 'body' | 'contentType' | 'module'>): {
  readonly database: string
  readonly mark: string
} | null => {
  if (status !== 200 || !isPlainly(module) || contentType === 'text/html') return null
  const head = body.slice(0, 4_000)
  const records = RECORDS.exec(body)
  const isOfPeople = MAKES_TABLES.test(head) && OF_PEOPLE.test(body.slice(records?.index ?? 0))
  const database = HEADS.find(([, first]) => first.test(head.slice(0, 1_000)))?.[0] ?? (isOfPeople ? 'SQL' : undefined)
  const mark = records?.[0]
  return database !== undefined && mark !== undefined ? { database, mark } : null
}
