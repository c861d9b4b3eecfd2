import type { Check, FindingDefinition, Judgement } from '../../module.ts'
import type { IdentifierSeen } from './facts.ts'
import { findingOf, judged } from './judged.ts'

const REMEDIATION =
  'Take the identifiers of the framework’s own sessions, or at least 128 bits of a generator that is made for secrets: PHP `bin2hex(random_bytes(16))`, Node `crypto.randomBytes(16)`, Python `secrets.token_hex(16)`, Java `SecureRandom`.'
const REFERENCES = [
  'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#session-id-properties',
] as const

const guessed: FindingDefinition = {
  id: 'sessions/predictable-identifier',
  title: 'Predictable session identifier: its value is a number, a time, or a digest of one',
  severity: 'high',
  cwe: 330,
  why: 'Whoever gets one identifier works out those of others, and is in their sessions without knowing a password.',
  remediation: REMEDIATION,
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/330.html'],
}

const short: FindingDefinition = {
  id: 'sessions/short-identifier',
  title: 'Insufficient session identifier length: there are few enough to be tried out',
  severity: 'medium',
  cwe: 331,
  why: 'Where many people are signed in, a guess that hits one of them needs far fewer tries than there are identifiers.',
  remediation: REMEDIATION,
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/331.html'],
}

/** How identifiers that the site gives away are made, as far as a few of them tell. */
export const sessionIdentifiers: Check<'sessions'> = {
  findings: [guessed, short],
  judge: ({ identifiers }) =>
    noted(
      judged(
        identifiers,
        identifiers.seen.map((seen) =>
          findingOf(seen.kind === 'guessed' ? guessed : short, seen, {
            ...{ confidence: seen.kind === 'guessed' ? 'confirmed' : 'firm', basis: seen.made },
            ...{ parameter: `cookie ${seen.cookie}`, detail: detailOf(seen) },
          }),
        ),
        { unit: 'cookies of sessions', absent: 'nobody is given the cookie of a session, as far as was seen' },
      ),
    ),
}

const detailOf = ({ cookie, kind, made, samples }: IdentifierSeen): string =>
  kind === 'guessed'
    ? `Each of ${samples} fresh values of ${cookie} is ${made}.`
    : `${samples} fresh values of ${cookie} differ in ${made}.`

/** That a few values show nothing is no statement about the generator. */
const noted = (judgement: Judgement): Judgement =>
  'state' in judgement ? judgement : { state: 'judged', note: NOTE, findings: judgement }
const NOTE =
  'About twenty values of each cookie were looked at for numbers that count up, times and digests of these; that says nothing of the generator behind them'
