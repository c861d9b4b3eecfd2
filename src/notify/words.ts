/** What mail says, in the language of the organisation that it goes to. */
import type { Severity } from '../contract/finding.ts'
import type { Language } from '../contract/language.ts'

export interface MailWords {
  readonly severity: Readonly<Record<Severity, string>>
  readonly newCritical: (domain: string, count: number) => string
  readonly finished: (domain: string, grade: string | null) => string
  readonly ended: (domain: string, status: string) => string
  readonly finishedText: (tier: string, domain: string) => string
  readonly endedText: (tier: string, domain: string, status: string) => string
  readonly overdue: (count: number) => string
  readonly overdueText: (count: number) => string
  readonly mentioned: (by: string, domain: string) => string
  readonly mentionedText: (by: string, count: number) => string
  /** Names of the lines, all of one width. */
  readonly lines: Readonly<Record<'grade' | 'open' | 'run' | 'details' | 'domains' | 'finding', string>>
  readonly notHere: string
  readonly commentNotHere: string
}

const EN: MailWords = {
  severity: { critical: 'critical', high: 'high', medium: 'medium', low: 'low', info: 'info' },
  newCritical: (domain, count) =>
    `${domain}: ${count === 1 ? 'a new critical finding' : `${count} new critical findings`}`,
  finished: (domain, grade) => `${domain}: scan finished, grade ${grade ?? 'unknown'}`,
  ended: (domain, status) => `${domain}: scan ${status}`,
  finishedText: (tier, domain) => `The ${tier} scan of ${domain} has finished.`,
  endedText: (tier, domain, status) => `The ${tier} scan of ${domain} ended ${status}.`,
  overdue: (count) => (count === 1 ? 'A finding is overdue' : `${count} findings are overdue`),
  overdueText: (count) =>
    count === 1
      ? 'The day by which an open finding was to be fixed has passed.'
      : `The days by which ${count} open findings were to be fixed have passed.`,
  mentioned: (by, domain) => `${domain}: ${by} mentions you`,
  mentionedText: (by, count) =>
    count === 1
      ? `${by} mentions you in a comment on a finding.`
      : `${by} mentions you in a comment on ${count} findings.`,
  lines: {
    ...{ grade: 'Grade:   ', open: 'Open:    ', run: 'Run:     ', details: 'Details: ' },
    ...{ domains: 'Domains: ', finding: 'Finding: ' },
  },
  notHere: 'What was found is not in this message, because mail is read by others too.',
  commentNotHere: 'The comment is not in this message, because mail is read by others too.',
}

const STATUS_DE: Readonly<Record<string, string>> = { failed: 'fehlgeschlagen', canceled: 'abgebrochen' }
const TIER_DE: Readonly<Record<string, string>> = { active: 'aktive', passive: 'passive' }
const inGerman = (words: Readonly<Record<string, string>>, word: string): string => words[word] ?? word

const DE: MailWords = {
  severity: { critical: 'kritisch', high: 'hoch', medium: 'mittel', low: 'niedrig', info: 'Hinweis' },
  newCritical: (domain, count) =>
    `${domain}: ${count === 1 ? 'ein neuer kritischer Befund' : `${count} neue kritische Befunde`}`,
  finished: (domain, grade) => `${domain}: Scan beendet, Note ${grade ?? 'unbekannt'}`,
  ended: (domain, status) => `${domain}: Scan ${inGerman(STATUS_DE, status)}`,
  finishedText: (tier, domain) => `Der ${inGerman(TIER_DE, tier)} Scan von ${domain} ist beendet.`,
  endedText: (tier, domain, status) =>
    `Der ${inGerman(TIER_DE, tier)} Scan von ${domain} ist ${inGerman(STATUS_DE, status)}.`,
  overdue: (count) => (count === 1 ? 'Ein Befund ist überfällig' : `${count} Befunde sind überfällig`),
  overdueText: (count) =>
    count === 1
      ? 'Die Frist, bis zu der ein offener Befund behoben sein sollte, ist vorbei.'
      : `Die Fristen, bis zu denen ${count} offene Befunde behoben sein sollten, sind vorbei.`,
  mentioned: (by, domain) => `${domain}: ${by} erwähnt Sie`,
  mentionedText: (by, count) =>
    count === 1
      ? `${by} erwähnt Sie in einem Kommentar zu einem Befund.`
      : `${by} erwähnt Sie in einem Kommentar zu ${count} Befunden.`,
  lines: {
    ...{ grade: 'Note:    ', open: 'Offen:   ', run: 'Lauf:    ', details: 'Näheres: ' },
    ...{ domains: 'Domains: ', finding: 'Befund:  ' },
  },
  notHere: 'Was gefunden wurde, steht nicht in dieser Nachricht, weil E-Mails auch andere lesen.',
  commentNotHere: 'Der Kommentar steht nicht in dieser Nachricht, weil E-Mails auch andere lesen.',
}

const WORDS: Readonly<Record<Language, MailWords>> = { en: EN, de: DE }
export const mailWords = (language: Language): MailWords => WORDS[language]
