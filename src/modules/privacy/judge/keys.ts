import type { Check, Finding } from '../../module.ts'
import type { CanaryLeak, PrivacyFacts, StateFacts } from '../facts.ts'
import { define, harsOf, listOf, MOMENTS, overVisit, purposesOf, replayOf, vendorName } from './shared.ts'

const captured = define(
  'key-capture',
  'Form capture before submission: what is typed is sent to a third party',
  'high',
  {
    why:
      'Who types and does not submit has decided not to send. E-mail addresses caught this way, hashed or not, recognise people ' +
      'over all sites on which they typed them; passwords and health questions have been caught, too.',
    remediation:
      'Remove the script’s form tracking ("automatic advanced matching", "form capture", "abandoned form"), or the script. Send ' +
      'form contents to your own server only, when the visitor submits.',
  },
)

const CHANNELS: Readonly<Record<CanaryLeak['channel'], string>> = {
  url: 'in an address',
  header: 'in a header',
  body: 'in the body of a request',
  beacon: 'in a beacon',
  websocket: 'over a WebSocket',
  keystrokes: 'key by key',
  message: 'as a message to its frame',
}

/** Canaries of this run that reached someone else. Session recorders are judged as such. */
export const keys: Check<'privacy'> = overVisit({
  findings: [captured],
  judge: (facts) => {
    const recorders = new Set(
      facts.parties.filter((party) => purposesOf(party).includes('session-recording')).map(({ host }) => host),
    )
    const leaks = facts.states.flatMap((state) =>
      state.leaks.filter(({ host }) => !recorders.has(host)).map((leak) => ({ state, leak })),
    )
    return [...Map.groupBy(leaks, ({ leak }) => leak.host).values()].flatMap((group): readonly Finding[] => {
      const [first] = group
      return first ? [finding(group, first.leak, nameOf(facts, first.leak.host))] : []
    })
  },
})

const nameOf = (facts: PrivacyFacts, host: string): string => {
  const party = facts.parties.find((one) => one.host === host)
  return party ? vendorName(party) : host
}

const finding = (
  group: readonly { readonly state: StateFacts; readonly leak: CanaryLeak }[],
  first: CanaryLeak,
  name: string,
): Finding => {
  const ways = [...new Set(group.map(({ leak }) => `${leak.field} (${leak.encoding}, ${CHANNELS[leak.channel]})`))]
  return {
    definition: captured,
    confidence: 'firm',
    at: { url: first.page },
    subject: first.host,
    detail: `Indication: typed and never submitted, ${MOMENTS[first.moment]}, yet sent to ${name} (${first.host}): ${listOf(ways)}.${first.script ? ` The script is ${first.script}.` : ''}`,
    proof: { excerpt: first.excerpt || first.url, mark: null, replay: replayOf(first.page) },
    evidence: harsOf(group.map(({ state }) => state)),
  }
}
