/** Names that a template's requests need and that nothing in it supplies: only a person can give them. */
import { namesOf } from './interpolate.ts'
import type { Step, Template } from './template.ts'

/** What an address gives (`values.ts` of the module), a listener, and what steps leave behind. */
const SUPPLIED =
  /^(?:BaseURL|RootURL|Hostname|Host|Port|Path|File|Scheme|Input|FQDN|RDN|DN|TLD|SD|BaseDNS|host|ip|cname|randstr(?:_\w{1,20})?|interactsh[-_]\w+|(?:http|dns|ssl|tcp|javascript)_\d*_?\w+|\w+_\d{1,3})$/

/** In order, each once. Workflows and hosts of their own want nothing of the target's operator. */
export const namesWanted = (
  template: Pick<Template, 'steps' | 'flow' | 'variables' | 'constants'>,
): readonly string[] => {
  const known = new Set<string>([...template.variables, ...template.constants].map(([name]) => name))
  for (const step of template.steps) for (const name of suppliedBy(step)) known.add(name)
  for (const name of setBy(template.flow ?? '')) known.add(name)
  const texts = [
    ...template.steps.flatMap(textsOf),
    ...[...template.variables, ...template.constants].map(([, value]) => String(value)),
  ]
  return [...new Set(texts.flatMap(namesOf))].filter((name) => !known.has(name) && !SUPPLIED.test(name))
}

const suppliedBy = (step: Step): readonly string[] => [
  ...('payloads' in step ? step.payloads.map(([name]) => name) : []),
  ...step.operators.extractors.flatMap(({ name }) => name ?? []),
  ...(step.protocol === 'javascript' ? setBy(step.code) : []),
  ...(step.protocol === 'tcp' ? step.inputs.flatMap(({ name }) => name ?? []) : []),
  ...(step.protocol === 'headless' ? step.actions.flatMap(({ name }) => name ?? []) : []),
]

const setBy = (script: string): readonly string[] =>
  [...script.matchAll(/\b(?:set|ExportAs)\s*\(\s*["'`]([\w-]{1,64})/g)].map(([, name = '']) => name)

/** Texts whose markers have to be known before anything goes out. */
const textsOf = (step: Step): readonly string[] => {
  switch (step.protocol) {
    case 'http':
      // What the check of variables is switched off for goes out as it is.
      if (step.skipVariablesCheck) return []
      return [...step.paths, ...step.raw, ...step.headers.flat(), step.body ?? '', ...digestOf(step.digest)]
    case 'dns':
      return [step.name]
    case 'ssl':
      return [step.address]
    case 'tcp':
      return [...step.hosts, ...step.inputs.map(({ data }) => data)]
    case 'headless':
      return step.actions.flatMap(({ args }) => Object.values(args))
    case 'javascript':
      return step.args.map(([, value]) => String(value))
  }
}

const digestOf = (digest: { readonly username: string; readonly password: string } | null): readonly string[] =>
  digest === null ? [] : [digest.username, digest.password]
