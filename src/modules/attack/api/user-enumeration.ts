import type { Check, FindingDefinition } from '../../module.ts'
import { findingOf, judged } from './judged.ts'

const SHEET =
  'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html#authentication-and-error-messages'

const byAnswer: FindingDefinition = {
  id: 'api/user-enumeration',
  title: 'User enumeration: the sign-in tells which accounts exist',
  severity: 'low',
  cwe: 204,
  why: 'Lists of names are sorted into accounts worth guessing at, and people are known to have one here.',
  remediation: 'Answer a wrong name and a wrong password with the same status and the same words.',
  references: [SHEET, 'https://cwe.mitre.org/data/definitions/204.html'],
}
const byTime: FindingDefinition = {
  ...byAnswer,
  id: 'api/user-enumeration-time',
  title: 'User enumeration by time: the sign-in takes longer for accounts that exist',
  cwe: 208,
  remediation: 'Hash the given password where the account does not exist, too, against a hash that is kept for it.',
  references: [SHEET, 'https://cwe.mitre.org/data/definitions/208.html'],
}

const byRecovery: FindingDefinition = {
  ...byAnswer,
  id: 'api/user-enumeration-recovery',
  title: 'User enumeration: the recovery of a password or a registration tells which accounts exist',
  remediation:
    'Answer whoever asks with the same status and the same words, whether the account exists or not, and send what is to be done by mail. Show a security question, if there has to be one, for every name.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Forgot_Password_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/204.html',
  ],
}

const UNSURE = 'the times of its answers vary too much to tell whether a password was hashed'

export const userEnumeration: Check<'api'> = {
  findings: [byAnswer, byTime],
  judge: ({ accounts }) => {
    const findings = accounts.hits
      .filter(({ kind }) => kind !== 'unsure')
      .map((hit) =>
        findingOf(hit.kind === 'time' ? byTime : byAnswer, hit, {
          ...{ confidence: hit.kind === 'time' ? 'firm' : 'confirmed', detail: hit.detail, basis: hit.kind },
        }),
      )
    const judgement = judged(accounts, findings, { unit: 'sign-ins', absent: 'no sign-in was found' })
    const isUnsure = accounts.hits.some(({ kind }) => kind === 'unsure')
    return isUnsure && judgement === findings
      ? { state: 'inconclusive', reason: UNSURE, only: [byTime.id], findings }
      : judgement
  },
}

/** What knows accounts beside the sign-in. What may write is asked on test systems alone. */
export const recoveryEnumeration: Check<'api'> = {
  findings: [byRecovery],
  judge: ({ recovery }) =>
    recovery === undefined
      ? { state: 'not_tested', reason: 'the run is of a version that did not ask for it' }
      : judged(
          recovery,
          recovery.hits.map((hit) =>
            findingOf(byRecovery, hit, { confidence: 'confirmed', detail: hit.detail, basis: hit.kind }),
          ),
          { unit: 'requests that know accounts', absent: 'no recovery of a password and no registration was found' },
        ),
}
