/** `sonde hypothesis`: whether one place of one request really has a weakness. */
import { Command, InvalidArgumentError } from 'commander'
import type { Hypothesis } from '../../contract/hypothesis.ts'
import { PLACES, type PlaceOfRequest, SITE_METHODS } from '../../contract/place.ts'
import { hasEnded } from '../../contract/run.ts'
import { sleep } from '../../contract/sleep.ts'
import { WEAKNESS_NAMES, type Weakness, weaknessOf } from '../../contract/weaknesses.ts'
import { connect, knownDomainId } from '../client.ts'
import type { CliDeps } from '../deps.ts'
import { EXIT, type ExitCode, UsageError } from '../exit.ts'
import { findingsText } from '../findings-text.ts'
import { clean, jsonText, type Screen } from '../screen.ts'
import { examples, JSON_FLAG, oneOf } from './options.ts'

/** Milliseconds between two looks. */
const EVERY = 2_000

type Pair = { readonly name: string; readonly value: string }

interface Options {
  readonly method: (typeof SITE_METHODS)[number]
  readonly field: readonly Pair[]
  readonly header: readonly Pair[]
  readonly body?: string
  readonly type?: string
  readonly seenOn?: string
  readonly identity?: string
  readonly json?: true
}

export const hypothesisCommand = (deps: CliDeps, end: (code: ExitCode) => void): Command =>
  new Command('hypothesis')
    .description('prove or refute that a place has a weakness; exit 1 where it has, 2 where that could not be told')
    .argument('<domain>', 'a registered and verified domain')
    .argument('<weakness>', WEAKNESS_NAMES.join(', '), oneOf(WEAKNESS_NAMES))
    .argument('<address>', 'of the request, with usual values: /search?q=lamp')
    .argument('<place>', `in:name, where in is one of ${PLACES.join(', ')}: query:q, path:2, json:/item/id`, placeIn)
    .option('--method <method>', SITE_METHODS.join(', '), oneOf(SITE_METHODS), 'GET')
    .option('--field <name=value>', 'a field of the form that is posted', pairsBy('='), [])
    .option(
      '--header <name: value>',
      'beside those that every client sends; settings as "Cookie: name=value"',
      pairsBy(':'),
      [],
    )
    .option('--body <text>', 'in place of a form')
    .option('--type <media type>', 'of the body; application/json where none is given')
    .option('--seen-on <address>', 'the page that makes the request, or shows what it stores')
    .option('--identity <name>', 'as whom it asks')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        "sonde hypothesis shop.example.com sqli '/search?q=lamp' query:q",
        'sonde hypothesis shop.example.com command /tools/ping form:host --method POST --field host=localhost',
      ),
    )
    .action(async (domain: string, weakness: Weakness, url: string, point: PlaceOfRequest, options: Options) => {
      const client = await connect(deps)
      const { method, field, header, body, type, seenOn, identity, json } = options
      if (body !== undefined && field.length > 0) throw new UsageError('--body and --field exclude each other.')
      const made = await client.startHypothesis({
        params: { id: await knownDomainId(client, domain) },
        body: {
          ...{ weakness, point, seen_on: seenOn ?? null },
          request: {
            ...{ method, url, headers: [...header] },
            ...(field.length > 0 ? { form: [...field] } : {}),
            ...(body === undefined ? {} : { body: { type: type ?? 'application/json', text: body } }),
          },
          ...(identity === undefined ? {} : { identities: [identity] }),
        },
      })
      let now = made
      while (!hasEnded(now.status)) {
        await sleep(EVERY, deps.signal)
        now = await client.readHypothesis({ params: { id: made.id } })
      }
      deps.screen.out(json ? jsonText(now) : hypothesisText(deps.screen, now))
      end(now.verdict === 'confirmed' ? EXIT.gate : now.verdict === 'refuted' ? EXIT.clean : EXIT.failed)
    })

const WORDS = {
  confirmed: 'Confirmed',
  refuted: 'Refuted',
  inconclusive: 'Inconclusive',
  not_asked: 'Not asked',
} as const

const hypothesisText = (screen: Screen, { verdict, reason, finding, weakness, left_out }: Hypothesis): string =>
  [
    `${verdict === null ? 'No verdict' : WORDS[verdict]}: ${weaknessOf(weakness).title}. ${clean(reason ?? '')}\n`,
    ...(left_out.length > 0
      ? [`Replaced, as it is a credential: ${left_out.map((one) => clean(one)).join(', ')}\n`]
      : []),
    ...(finding === null ? [] : [`\n${findingsText(screen, [finding], { long: true })}`]),
  ].join('')

const placeIn = (text: string): PlaceOfRequest => {
  const [, given = '', name = ''] = /^([a-z]+):(.+)$/s.exec(text) ?? []
  const place = PLACES.find((one) => one === given)
  if (place === undefined) throw new InvalidArgumentError(`It is in:name, where in is one of ${PLACES.join(', ')}.`)
  return { in: place, name }
}

const pairsBy =
  (sign: '=' | ':') =>
  (text: string, before: readonly Pair[]): readonly Pair[] => {
    const at = text.indexOf(sign)
    if (at < 1)
      throw new InvalidArgumentError(`It is a name, ${sign === '=' ? 'an equals sign' : 'a colon'} and a value.`)
    return [...before, { name: text.slice(0, at), value: text.slice(at + 1).trim() }]
  }
