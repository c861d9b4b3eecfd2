import { sayLeftOut } from '../../../protocols/dns/left-out.ts'
import type { Check, FindingDefinition, Judgement } from '../../module.ts'
import type { RecursionFacts, TransferFacts } from './facts.ts'

const open: FindingDefinition = {
  id: 'nameservers/open-recursion',
  title: 'Open DNS resolver: a name server of the domain resolves names for everybody',
  severity: 'medium',
  cwe: 406,
  why: 'It can be misused to flood others with large answers, and its cache can be poisoned for those who rely on it.',
  remediation:
    'Switch recursion off on the authoritative server (`recursion no;`), or limit it to own networks (`allow-recursion`).',
  references: ['https://www.rfc-editor.org/rfc/rfc5358', 'https://cwe.mitre.org/data/definitions/406.html'],
}

export const recursion: Check<'nameservers', 'dns'> = {
  findings: [open],
  judge: ({ zone, recursion: asked }): Judgement => {
    if (asked.length === 0) return { state: 'not_tested', reason: `No address of a name server of ${zone} is known.` }
    const findings = asked
      .filter((one) => one.open)
      .map(({ server, address, asked: name, answer }) => ({
        definition: open,
        confidence: 'confirmed' as const,
        at: { host: server, port: 53 },
        subject: address,
        detail: `${server} (${address}) resolves ${name}, a name of another zone, and denies one below it that does not exist.`,
        proof: {
          excerpt: `${name} A ${answer.join(' ')}`,
          mark: answer[0] ?? null,
          replay: `dig +recurse A ${name} @${address}`,
          basis: 'resolved',
        },
      }))
    const silent = asked.filter(({ rcode }) => rcode === null)
    if (silent.length === 0) return findings
    const mute = silent.filter(({ left }) => left === undefined)
    const reasons = [
      notAsked(asked),
      mute.length === 0 ? null : `No answer from ${mute.map(({ address }) => address).join(', ')}.`,
    ]
    const reason = reasons.filter((one) => one !== null).join(' ')
    return { state: silent.length === asked.length ? 'not_tested' : 'inconclusive', reason, findings }
  },
}

/** Which of the addresses were not asked, in one sentence; null where all were. */
export const notAsked = (asked: readonly Pick<RecursionFacts | TransferFacts, 'address' | 'left'>[]): string | null =>
  sayLeftOut(
    asked.flatMap(({ address, left }) => (left === undefined ? [] : [{ address, why: left }])),
    asked.length,
  )
